"""A test as a server that agents are plugged into."""
