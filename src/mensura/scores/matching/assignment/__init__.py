"""One-to-one pairing of rows and columns to the greatest sum, with its proof."""

from mensura.scores.matching.assignment.candidates import Candidates
from mensura.scores.matching.assignment.solving import Matching, Solver, greedy, optimal, unique

__all__ = ["Candidates", "Matching", "Solver", "greedy", "optimal", "unique"]
