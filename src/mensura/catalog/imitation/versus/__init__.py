"""Benchmark versus judgement: what the same systems come to by a grade, by a verdict, and as competitors."""
