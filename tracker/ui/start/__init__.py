"""The start screen: fights to resume, encounters to begin."""
