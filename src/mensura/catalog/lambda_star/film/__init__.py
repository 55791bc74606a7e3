"""Films: one episode, to be looked at, as GIF or as a page."""
