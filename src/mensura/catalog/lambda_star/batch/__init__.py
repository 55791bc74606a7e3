"""The batch form: thousands of environments as arrays, every built-in agent compiled."""
