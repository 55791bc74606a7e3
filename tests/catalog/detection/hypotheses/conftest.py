"""Small files for scoring tests."""

import json

import pytest

from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.specification_file import read_specification
from mensura.catalog.detection.hypotheses.things import parse_things

ATTACKS = """
types:
  Attack:
    case: true
    costs: {false_positive: 1, false_negative: 10}
    attributes:
      group: {domain: Group, weight: 3, cardinality: 1}
      target: {domain: string, weight: 5, cardinality: 1}
      date: {domain: date, weight: 2, cardinality: 1, nominal_distance: 10}
      actors: {domain: Person, weight: 1, cardinality: many}
  Group:
    case: true
    attributes:
      member: {domain: Person, weight: 1, cardinality: many}
  Person:
    case: true
    members: name
    attributes:
      name: {domain: Name, weight: 1, cardinality: many}
  Name: {}
"""


@pytest.fixture
def specify(tmp_path):
    """Make a specification from YAML text."""

    def make(text=ATTACKS):
        path = tmp_path / "specification.yaml"
        path.write_text(text)
        return read_specification(path)

    return make


@pytest.fixture
def score(specify):
    """Scoring lists of records against each other."""

    def make(reference, hypotheses, text=ATTACKS, **options):
        specification = specify(text)
        sides = [
            parse_things(enumerate(records, 1), specification=specification, source=name)
            for name, records in (("R.jsonl", reference), ("H.jsonl", hypotheses))
        ]
        return score_hypotheses(
            specification, reference=sides[0], hypotheses=sides[1], options=ScoringOptions(**options)
        )

    return make


@pytest.fixture
def write(tmp_path):
    """Write records as JSONL and give the path."""

    def make(name, records):
        path = tmp_path / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return path

    return make
