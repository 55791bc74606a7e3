"""Puzzles: intelligence-test problems of ten kinds, with their derivation, load and proof of uniqueness."""
