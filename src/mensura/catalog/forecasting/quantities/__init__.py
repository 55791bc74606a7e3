"""Quantities: stated quantiles or probabilities of bins, from files and from the ledger, scored and calibrated."""
