"""Extractors: from sentences to what they state, by rules on WordNet, by a parser, or from a file of triples."""
