"""Pure functions from the model to rows of text."""
