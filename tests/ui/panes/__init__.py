"""The panes: what they show, their pictures and their looks."""
