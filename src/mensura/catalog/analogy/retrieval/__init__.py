"""Retrieval: one document against a whole corpus, near and far, and how novel a draft is."""
