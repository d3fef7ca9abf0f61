"""A Windows Python under wine, and the tests run by it."""
