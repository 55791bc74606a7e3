"""What one subject answered, person or model, and what is wrong with it."""

from mensura.catalog.sensemaking.answers.answer import Answers, Defect, Drawn, Response, TrialAnswer
from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import answers_from_json, answers_to_json

__all__ = [
    "Answers",
    "Defect",
    "Drawn",
    "Response",
    "TrialAnswer",
    "answers_from_json",
    "answers_to_json",
    "check_answers",
]
