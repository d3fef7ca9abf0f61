"""The games that come with the tracker."""
