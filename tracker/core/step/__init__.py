"""One step while it runs: what it may change, what it may ask, and how forms are filled."""
