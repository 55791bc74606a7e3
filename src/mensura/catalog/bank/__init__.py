"""Banks of items made from a file or from data: every line a question, and each question a short dialogue."""
