"""Skills and first aid, items and reloading."""
