"""Tests of tracker.core."""
