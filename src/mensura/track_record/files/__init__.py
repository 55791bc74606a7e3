"""Forecasts and outcomes from files."""
