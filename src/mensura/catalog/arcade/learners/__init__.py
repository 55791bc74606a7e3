"""Learners by deep Q-learning: they need PyTorch, NumPy and the emulator, and nothing else of the house."""
