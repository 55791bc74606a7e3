"""Planning: a plan started from a template, what it means in words, and a rehearsal with simulated people."""
