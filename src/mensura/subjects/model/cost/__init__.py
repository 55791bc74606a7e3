"""The cost of answers of language models: prices, a budget, a cache."""
