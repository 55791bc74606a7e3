"""Phrase readings: what probability people take from the words of the Kent chart."""
