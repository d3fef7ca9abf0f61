"""The rows of each pane of the cockpit and of the start screen."""
