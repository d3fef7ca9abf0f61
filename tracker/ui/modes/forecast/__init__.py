"""Forecasts: what is asked of the workers, and the sheet that shows what they say."""
