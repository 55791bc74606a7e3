"""Many requests in one, at the providers that have such an interface."""
