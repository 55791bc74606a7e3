"""Pluralistic ignorance: nobody believes, but everybody believes that everybody else does."""
