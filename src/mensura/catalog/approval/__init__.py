"""Calls of tools that a program wants to make, and someone who approves of each or does not."""
