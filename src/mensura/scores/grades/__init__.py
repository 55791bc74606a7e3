"""Graders: how an answer in words is held against what is right, each a pure function from 0 (wrong) to 1 (right)."""
