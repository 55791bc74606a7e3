"""Estimates: numbers with n, interval and method."""

from mensura.stats.estimate import Estimate

__all__ = ["Estimate"]
