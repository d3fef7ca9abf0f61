"""Tests of `tracker.core.master`."""
