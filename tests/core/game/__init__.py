"""Tests of `tracker.core.game`."""
