"""The panes of the cockpit."""
