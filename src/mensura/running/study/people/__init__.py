"""People of a study: who is where, who comes by the recruiting link, and who takes the place of another."""
