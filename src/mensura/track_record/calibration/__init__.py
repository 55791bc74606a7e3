"""Calibration: how stated probabilities compare with what happened, and what that says of the forecaster."""
