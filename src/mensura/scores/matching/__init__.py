"""Pairing two sets of structured things by likeness, one-to-one or so that several share a partner."""

from mensura.scores.matching.assignment import Candidates, Matching, greedy, optimal, unique
from mensura.scores.matching.credit import Credit, CreditTable
from mensura.scores.matching.likeness import Likeness, ScoredPairs
from mensura.scores.matching.pairing import Pairing, many_pairs, pair

__all__ = [
    "Candidates",
    "Credit",
    "CreditTable",
    "Likeness",
    "Matching",
    "Pairing",
    "ScoredPairs",
    "greedy",
    "many_pairs",
    "optimal",
    "pair",
    "unique",
]
