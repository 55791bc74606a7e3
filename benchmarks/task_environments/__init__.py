"""Speed of task environments."""
