"""The tests of `tracker.testing`: what authors of rulesets test with."""
