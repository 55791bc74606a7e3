"""People of the laboratory: who may do what, who is invited, who rates."""
