"""Vendors, what they sell, and what was ordered."""
