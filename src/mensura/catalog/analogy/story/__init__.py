"""The story test: which of two stories has the same structure as the first?"""
