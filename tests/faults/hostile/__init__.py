"""Files, exports and databases made to hurt, each refused in a line."""
