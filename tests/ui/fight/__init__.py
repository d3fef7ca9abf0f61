"""A fight on the screen: journeys, the past, ways, odds, turns."""
