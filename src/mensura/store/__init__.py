"""Sessions and results in a database."""
