"""Surveys: questionnaires and scales."""
