"""Two share points after a talk: the smallest test in which people speak to each other."""
