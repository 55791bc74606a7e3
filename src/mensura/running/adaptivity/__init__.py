"""Adaptivity: what courses need to measure learning, transfer, forgetting and robustness, and the report of it."""
