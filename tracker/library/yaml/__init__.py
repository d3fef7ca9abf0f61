"""YAML as plain values, each with its place in the file."""
