"""Experts: a panel that rates proposed analogies without knowing who proposed them."""
