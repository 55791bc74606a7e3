"""Whether a model can be reached, and what is waited for."""
