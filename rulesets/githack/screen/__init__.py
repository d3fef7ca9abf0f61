"""What the screen shows of GitHack."""
