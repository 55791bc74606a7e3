"""Documents: sentences and their kinds, as coders see them."""
