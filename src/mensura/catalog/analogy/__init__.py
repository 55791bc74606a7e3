"""Analogy: structure mapping between documents, judged by corpora, people and experts."""
