"""Task theory: making tasks of tasks, eleven properties as numbers, and how far two tasks are apart."""
