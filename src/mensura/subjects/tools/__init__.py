"""Tools of a language model: what it may use before it answers, who approves of calls, and how much it may use."""
