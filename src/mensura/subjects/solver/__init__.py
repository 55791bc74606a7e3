"""Solvers: small functions wrapped round any subject, which decide what it is asked to find one answer."""
