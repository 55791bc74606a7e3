"""Calibration by people: is there one Aunt Edna, and what does a grade owe to her?"""
