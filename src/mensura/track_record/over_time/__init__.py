"""Forecasts over time: what stood when, and whether bias persists."""
