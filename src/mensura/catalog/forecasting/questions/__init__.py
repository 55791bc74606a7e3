"""Questions: confirmable propositions, their life from draft to resolution, and the ledger that remembers it."""
