"""Reference subjects of the rooms."""
