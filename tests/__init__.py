"""Tests of the encounter tracker."""
