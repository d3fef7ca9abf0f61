"""What happened, in words: the log, the past, and what a correction changes."""
