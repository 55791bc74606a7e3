"""Texts and stories of our own, written for these tests: what they are made of when no corpus is at hand."""
