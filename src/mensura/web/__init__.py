"""Pages for participants and experimenters, and the HTTP API."""
