"""Tests of `tracker.core.clock`."""
