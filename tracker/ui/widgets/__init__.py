"""Widgets that draw rows of text, line by line, their layout and their styles."""
