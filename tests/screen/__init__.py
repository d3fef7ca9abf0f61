"""Tests of `tracker.screen`."""
