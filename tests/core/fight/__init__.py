"""Tests of `tracker.core.fight`."""
