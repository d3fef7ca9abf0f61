"""Tests of `tracker.ui.players_screen`."""
