"""What is made for a release: completions, the manual page, the bundle, the recording."""
