"""Winograd schemas: which candidate does a pronoun stand for, in two sentences that differ by a word?"""
