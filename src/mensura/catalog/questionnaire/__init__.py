"""Questionnaires as tests: items with scale, reversal and hidden category, and open questions."""
