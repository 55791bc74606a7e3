"""The cost of a run: its forecast, its budget, and what may have been paid twice."""
