"""Calibrating: from stored runs or a file of answers to item parameters, and back into the bank."""
