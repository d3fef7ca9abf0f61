"""The players' screen: a second terminal, monitor or TV that follows a fight."""
