"""The plagiarism test: how close is an answer to its source?"""
