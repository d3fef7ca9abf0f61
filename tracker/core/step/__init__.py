"""One step while it runs: its changes, its questions, its forms."""
