"""Words: what an installed WordNet says of them, and how alike they are by it."""
