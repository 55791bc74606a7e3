"""Reading a model's answers, whatever form they come in."""

from pathlib import Path

import numpy as np

from mensura.catalog.sensemaking.answers.answer import Answers
from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import read_json_answers
from mensura.catalog.sensemaking.exam.model import Exam
from mensura.catalog.sensemaking.minds import MINDS, answer_exam, find_mind
from mensura.catalog.sensemaking.mitre.response_reading import read_responses
from mensura.errors import BadFile


def is_model(name: str) -> bool:
    """Whether a name is a file or a reference subject, rather than a stored run."""
    path = Path(name)
    return path.exists() or bool(path.suffix) or "/" in name or name.partition(":")[0] in MINDS


def read_model(name: str, exam: Exam) -> Answers:
    """Read a model's answers: a response XML (or a folder with one per task), JSON, or a reference subject by name."""
    path = Path(name)
    if not path.exists():
        kind = name.partition(":")[0]
        if kind in MINDS:
            answers = answer_exam(exam, find_mind(name), rng=np.random.default_rng(0), subject=name)
            return check_answers(answers, exam, file=name)
        if path.suffix or "/" in name:
            raise BadFile(f"{name} does not exist; give a response XML or JSON file, or one of {', '.join(MINDS)}.")
        find_mind(name)
    if path.is_dir() or path.suffix.lower() == ".xml":
        return check_answers(read_responses(path), exam, file=name)
    return check_answers(read_json_answers(path), exam, file=name)
