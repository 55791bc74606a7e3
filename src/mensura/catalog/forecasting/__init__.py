"""Forecasting: elicit, score, calibrate and train numerical probabilities."""
