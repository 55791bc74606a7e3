"""Words: the lexicon and the word vectors that are installed, read once and kept as arrays."""
