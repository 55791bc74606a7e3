"""Assessment of a subject against people and against the best answers."""
