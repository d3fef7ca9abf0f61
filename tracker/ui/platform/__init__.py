"""The user's own things and place: editor, terminal, kept effects, what is remembered between starts."""
