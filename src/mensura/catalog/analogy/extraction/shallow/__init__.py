"""The shallow extractor: parts of speech from WordNet's counts, phrases, and clauses from left to right."""
