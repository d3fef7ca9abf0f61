"""Plain values checked against their types, with every complaint at its place."""
