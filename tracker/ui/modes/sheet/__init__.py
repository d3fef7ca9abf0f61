"""The sheet of a side: who does what to whom, typed and played."""
