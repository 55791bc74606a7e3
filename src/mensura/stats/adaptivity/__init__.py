"""Adaptivity: how courses learn, transfer, forget, hold up and understand; courses are the unit of every interval."""
