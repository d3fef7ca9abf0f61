"""The user's own things: editor, kept effects, what is remembered between two starts."""
