"""The ledger: confirmable questions, their life from draft to resolution, and the scores that follow."""
