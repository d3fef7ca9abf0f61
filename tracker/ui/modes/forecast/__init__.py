"""Forecasts: the query for the worker processes, and the dialog that shows their results."""
