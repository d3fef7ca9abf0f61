"""The actions of Sword World 2.0: what is offered, what it costs and what it does."""
