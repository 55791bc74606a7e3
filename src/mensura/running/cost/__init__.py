"""What a run costs: said before it, kept within a budget, and what may have been paid twice."""
