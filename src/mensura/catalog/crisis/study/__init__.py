"""The study around the office: what its source tables, and the procedure of a session."""
