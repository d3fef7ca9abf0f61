"""Tests of `tracker.core.step`."""
