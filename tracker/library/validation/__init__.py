"""Checks plain values against their types, with every issue at its place."""
