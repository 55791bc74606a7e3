"""Damage: texts changed by stated amounts, in ways that keep what they say and in ways that do not. Simulated."""
