"""Tests of `tracker.core.terms`."""
