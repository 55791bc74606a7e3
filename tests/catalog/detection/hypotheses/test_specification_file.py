"""Specifications that are wrong are refused with file and line."""

from itertools import pairwise

import pytest

from mensura.catalog.detection.hypotheses.specification_file import SHIPPED, read_specification
from mensura.errors import BadFile, BadParameter, UnknownName

GOOD = """types:
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
  Person: {}
"""


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_specifications_are_read_by_name(name):
    assert read_specification(name).cases


@pytest.mark.parametrize(
    ("before", "after", "line", "words"),
    [
        ("  Person: {}", "  Person: {attributes: {boss: {domain: Group}}}", 10, "cycle: Group → Person → Group"),
        ("domain: string, weight: 5", "domain: strin, weight: 5", 7, "Did you mean string"),
        ("weight: 5", "weigth: 5", 7, "Did you mean weight"),
        ("weight: 5", "weight: heavy", 7, "`weight` is a number of at least 0; got 'heavy'"),
        ("weight: 5", "weight: -1", 7, "of at least 0"),
        ("weight: 5", "weight: .nan", 7, "of at least 0"),
        ("false_positive: 1", "false_positive: -1", 4, "`false_positive` is a number of at least 0; got -1"),
        ("cardinality: many}\n  Group", "cardinality: 3}\n  Group", 9, "`cardinality` is 1 or many"),
        ("nominal_distance: 10", "nominal_distance: 0", 8, "must be positive"),
        ("nominal_distance: 10", "curve: linear", 8, "needs a `nominal_distance`"),
        ("nominal_distance: 10", "nominal_distance: 10, curve: round", 8, "one of linear"),
        ("nominal_distance: 10", "similarity: edit", 8, "`similarity` is for string"),
        ("nominal_distance: 10", "nominal_distance: 10, function: a:b", 8, "not several"),
        (
            "member: {domain: Person, weight: 1",
            "member: {domain: Person, weight: 0",
            12,
            "all weights of Group are zero",
        ),
        ("    case: true\n    costs", "    case: perhaps\n    costs", 3, "true or false"),
        ("    case: true\n    costs", "    case: true\n    case: true\n    costs", 4, "appears twice"),
        ("    case: true\n    costs", "    case: true\n    threshold: 2\n    costs", 4, "between 0 and 1"),
        ("    case: true\n    costs", "    case: true\n    members: actor\n    costs", 4, "`members` of Attack"),
        (
            "    case: true\n    costs",
            "    case: true\n    alerts: {event: target}\n    costs",
            4,
            "a date of this type",
        ),
        (
            "    case: true\n    costs",
            "    case: true\n    conditions: [{near: date}]\n    costs",
            4,
            "unknown key 'near'",
        ),
        ("    case: true\n    costs", "    case: true\n    conditions: [{same: actors}]\n    costs", 4, "takes many"),
        (
            "    case: true\n    costs",
            "    case: true\n    conditions: [{within: target}]\n    costs",
            4,
            "needs numbers",
        ),
        (
            "    case: true\n    costs",
            "    case: true\n    conditions: [{overlap: date}]\n    costs",
            4,
            "two attributes",
        ),
        ("  Person: {}", "  Person: []", 14, "must be a mapping"),
        ("  Person: {}", "  Person: {}\n  string: {}", 15, "is a scalar domain"),
        ("  Person: {}", "  Person: {}\n  7: {}", 15, "Put it in quotes"),
        ("types:", "type:", 1, "Did you mean types"),
        ("types:", "reading: rough\ntypes:", 1, "`reading` is one of smooth, crisp"),
        ("target: {", "target: {{", 8, "not YAML"),
        ("  Person: {}", "  Person: {}\n  [a]: {}", 15, "a key must be plain text"),
    ],
)
def test_mistakes_are_named_with_file_and_line(tmp_path, before, after, line, words):
    assert before in GOOD
    path = tmp_path / "S.yaml"
    path.write_text(GOOD.replace(before, after, 1))
    with pytest.raises(BadFile) as raised:
        read_specification(path)
    message = str(raised.value)
    assert words in message
    assert f"{path}, line {line}: " in message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("types: \0", "not YAML"),
        ("types: " + "[" * 2000, "line 1: this YAML is nested more than 100 levels deep"),
        ("- " * 2000, "line 1: this YAML is nested more than 100 levels deep"),
        (
            "a: &a [x, x]\n" + "".join(f"{n}: &{n} [{', '.join([f'*{m}'] * 9)}]\n" for m, n in pairwise("abcdefghi")),
            "too large",
        ),
        ("types: &a\n  A: *a", "line 2: `*a` refers to a part that contains it"),
        ("types: 2027-13-45", "month must be in 1..12"),
    ],
)
def test_a_hostile_specification_is_refused_in_a_sentence(tmp_path, content, words):
    path = tmp_path / "S.yaml"
    path.write_text(content)
    with pytest.raises(BadFile) as raised:
        read_specification(path)
    assert str(raised.value).startswith(str(path))
    assert words in str(raised.value)


def test_the_specification_of_the_readme_is_read_leaves_first(tmp_path):
    path = tmp_path / "S.yaml"
    path.write_text(GOOD)
    specification = read_specification(path)
    assert list(specification.types) == ["Person", "Group", "Attack"]
    assert specification.cases == ("Group", "Attack")
    assert specification.types["Attack"].costs.false_negative == 10


@pytest.mark.parametrize("content", ["", "types: {}", "types: {A: {}}", "just words"])
def test_a_file_without_cases_is_refused(tmp_path, content):
    path = tmp_path / "S.yaml"
    path.write_text(content)
    with pytest.raises(BadFile, match="line 1"):
        read_specification(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadFile, match=r"none\.yaml cannot be read"):
        read_specification(tmp_path / "none.yaml")


def test_weights_given_by_option_are_checked(tmp_path):
    path = tmp_path / "S.yaml"
    path.write_text(GOOD)
    specification = read_specification(path)
    with pytest.raises(UnknownName, match="Did you mean Attack"):
        specification.weighted({"Atack.date": 1})
    with pytest.raises(UnknownName, match="Did you mean date"):
        specification.weighted({"Attack.dates": 1})
    with pytest.raises(BadParameter, match="of at least 0"):
        specification.weighted({"Attack.date": -1})
    with pytest.raises(BadParameter, match="All weights of Group are zero"):
        specification.weighted({"Group.member": 0})
