"""Water: particles that push and are pushed."""
