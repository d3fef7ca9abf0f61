"""The journal on disk: one SQLite file, its copies, its repair and its exchange format."""
