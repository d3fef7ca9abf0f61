"""Forecasts on the screen: of fights, of actions, of encounters."""
