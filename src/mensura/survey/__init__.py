"""Surveys: questionnaires, scales, rubrics and the ratings given by them."""
