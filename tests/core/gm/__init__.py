"""Tests of `tracker.core.gm`."""
