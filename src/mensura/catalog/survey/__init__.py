"""Surveys made from data: items with scale, reversal and hidden category, and open questions."""
