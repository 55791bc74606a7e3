"""The author's bench: what a schema leaves to be solved without its sentence, and what of it people disagree on."""
