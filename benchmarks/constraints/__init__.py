"""Constraints: messages, algorithms and networks, against pyDCOP."""
