"""The panes of a fight, the page to read, and the lines above and below."""
