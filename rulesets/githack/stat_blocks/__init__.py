"""Stat blocks of GitHack: canonical, typed and printed."""
