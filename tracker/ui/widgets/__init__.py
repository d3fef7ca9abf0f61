"""Rows of text as lines of the terminal, drawn where they changed."""
