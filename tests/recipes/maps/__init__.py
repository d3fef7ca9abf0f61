"""Recipes for maps."""
