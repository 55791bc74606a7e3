"""The quiz after instruction: a test of its own, crisis-quiz."""
