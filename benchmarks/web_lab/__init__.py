"""How long the experimenters' pages of a large run take."""
