"""Scores and calibration beside scoringrules and properscoring, and the whole command on a million rows."""
