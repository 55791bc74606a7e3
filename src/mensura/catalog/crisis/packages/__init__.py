"""Packages: which world a subject meets, as a few bounded numbers in YAML."""
