"""Planning: which event goes where and when, what must be ordered and who must be asked."""
