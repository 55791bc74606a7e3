"""Pages that stand alone: the starts of a set, an evaluation played again, and how learners learned."""
