"""The map as rows."""
