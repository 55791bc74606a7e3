"""Tables: counts that go together, and two crossed factors."""
