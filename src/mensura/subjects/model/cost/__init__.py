"""What answers of language models cost: prices, a budget, a cache."""
