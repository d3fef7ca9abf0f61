"""Printed stat blocks of old books: split into fields, each read by its own reader."""
