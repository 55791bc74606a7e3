"""The retrieval test: which of several stories has the structure of this one?"""
