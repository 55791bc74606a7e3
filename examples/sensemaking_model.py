"""Assess a cognitive model of one's own against people: write its answers, score them, and see where it stands.

Run it as it stands for a generated exam and simulated people, or give the folders of the public ICArUS Final Exam:

    python examples/sensemaking_model.py [EXAM_FOLDER PEOPLE_FOLDER]
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from mensura.catalog.sensemaking.answers.json_file import answers_to_json
from mensura.catalog.sensemaking.answers.model_file import read_model
from mensura.catalog.sensemaking.assessment.findings import assess_models
from mensura.catalog.sensemaking.generating import generate_exam, write_generated
from mensura.catalog.sensemaking.minds import ReferenceMind, answer_exam
from mensura.catalog.sensemaking.minds.simulated import write_people
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.catalog.sensemaking.people import read_people


class Forgetful(ReferenceMind):
    """A model of one's own: Bayesian, but a fifth of what it believed is forgotten before every report."""

    name = "forgetful"

    def update(self, before, likelihood):
        faded = 0.8 * before + 0.2 / len(before)
        return super().update(faded, likelihood)

    def allocate(self, belief):
        return belief


def main():
    """Make the exam and people where none are given, let the model answer, and print what it comes to."""
    with tempfile.TemporaryDirectory() as made:
        if len(sys.argv) == 3:
            exam_folder, people = map(Path, sys.argv[1:])
        else:
            exam_folder, people = Path(made), Path(made) / "people"
            generated = generate_exam(np.random.default_rng(1), id="example")
            write_generated(generated, exam_folder)
            write_people(generated, people, count=30, rng=np.random.default_rng(2))
        exam = read_exam(exam_folder)
        answers = Path(made) / "forgetful.json"
        answers.write_text(json.dumps(answers_to_json(answer_exam(exam, Forgetful(), rng=np.random.default_rng(0)))))
        models = [[read_model(name, exam)] for name in (str(answers), "bayesian")]
        found = assess_models(exam, read_people(people, exam), models, draws=500)
    print(found.answer)
    for sentence in found.sentences:
        print(sentence)


if __name__ == "__main__":
    main()
