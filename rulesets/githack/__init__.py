"""GitHack: the players roll everything, harm is a track of boxes."""
