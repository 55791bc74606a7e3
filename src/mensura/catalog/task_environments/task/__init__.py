"""Task: the blocks that a task is made of, its JSON, its family of instances, and what is refused."""
