"""Fitness landscapes: many local optima and one global, static or changing; exploration against exploitation."""
