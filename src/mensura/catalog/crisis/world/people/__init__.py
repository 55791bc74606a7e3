"""People of a conference: how they are made, and who runs it."""
