"""What a language model may do before it answers: tools, who approves of their calls, and how much it may use."""
