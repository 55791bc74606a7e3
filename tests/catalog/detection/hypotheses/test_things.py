"""Objects that are wrong are refused with file and line."""

import json

import pytest

from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.things import read_things
from mensura.errors import BadFile

GROUP = {"type": "Group", "uid": "G", "member": ["ann"]}
ATTACK = {"type": "Attack", "uid": "A", "group": "G", "target": "bridge", "date": 5}


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"type": "Atack", "uid": "B"}, "the unknown type 'Atack'. Did you mean Attack?"),
        ({"uid": "B"}, "`type` is missing"),
        ({"type": "Attack"}, "`uid` is missing"),
        ({"type": "Attack", "uid": True}, "`uid` is text or a whole number"),
        ({"type": "Attack", "uid": "A", "target": "tower"}, "is already on line 2"),
        ({"type": "Attack", "uid": "B", "tarket": "tower"}, "unknown attribute 'tarket'. Did you mean target?"),
        ({"type": "Attack", "uid": "B", "target": 7}, "target must be a string; got 7"),
        ({"type": "Attack", "uid": "B", "date": "soon"}, "YYYY-MM-DD; got 'soon'"),
        ({"type": "Attack", "uid": "B", "date": True}, "date must be a date; got True"),
        ({"type": "Attack", "uid": "B", "date": [1, 2]}, "takes one value"),
        ({"type": "Attack", "uid": "B", "group": 1.5}, "give its identifier or the object"),
        ({"type": "Attack", "uid": "B", "group": {"type": "Attack", "uid": "C"}}, "must be a Group; got a Attack"),
        ({"type": "Attack", "uid": "B", "group": {}}, "is empty"),
        ({"type": "Attack", "uid": "B", "confidence": "high"}, "`confidence` is a number"),
        ({"type": "Attack", "uid": "B", "submitted": []}, "`submitted` is a date"),
        ({"type": "Attack", "uid": "B", "costs": {"false_positive": -1}}, "a cost is a number of at least 0"),
        ({"type": "Attack", "uid": "B", "costs": 3}, "`costs` has the keys"),
        ({"type": "Attack", "uid": "B", "probability": 2}, "between 0 and 1; got 2"),
        ({"type": "Attack", "uid": "B", "alternatives": []}, "`alternatives` is a list"),
        ({"type": "Attack", "uid": "B", "alternatives": [{"target": "t"}]}, "`probability` lies between"),
        (
            {"type": "Attack", "uid": "B", "alternatives": [{"probability": 0.7}, {"probability": 0.7}]},
            "sum to 1.4; at most 1",
        ),
        ([1], "an object in braces"),
    ],
)
def test_mistakes_are_named_with_file_and_line(specify, write, record, words):
    path = write("H.jsonl", [GROUP, ATTACK, record])
    with pytest.raises(BadFile) as raised:
        read_things(path, specification=specify())
    assert f"{path}, line 3: " in str(raised.value)
    assert words in str(raised.value)


def test_a_line_that_is_not_json_is_named(specify, tmp_path):
    path = tmp_path / "H.jsonl"
    path.write_text(json.dumps(GROUP) + "\n\n{oops}\n")
    with pytest.raises(BadFile, match=r"H\.jsonl, line 3: not JSON"):
        read_things(path, specification=specify())


def test_several_mistakes_are_told_at_once(specify, write):
    path = write("H.jsonl", [{"type": "X", "uid": "1"}, {"type": "Attack", "uid": "2", "date": "soon"}])
    with pytest.raises(BadFile, match=r"line 1: (.|\n)*line 2: "):
        read_things(path, specification=specify())


def test_a_name_of_nothing_is_refused_with_the_line_that_uses_it(specify, write):
    specification = specify()
    good = read_things(write("R.jsonl", [GROUP, ATTACK]), specification=specification)
    dangling = read_things(write("H.jsonl", [GROUP, ATTACK | {"group": "Nobody"}]), specification=specification)
    with pytest.raises(BadFile, match=r"H\.jsonl, line 2: group of Attack 'A' names the Group 'Nobody'"):
        score_hypotheses(specification, reference=good, hypotheses=dangling)
    with pytest.raises(BadFile, match=r"H\.jsonl, line 2: "):
        score_hypotheses(specification, reference=dangling, hypotheses=good)


def test_an_alias_in_two_classes_is_refused(specify, write):
    records = [{"type": "Person", "uid": "P", "name": ["ann"]}, {"type": "Person", "uid": "Q", "name": ["ann", "bob"]}]
    specification = specify()
    things = read_things(write("R.jsonl", records), specification=specification)
    with pytest.raises(BadFile, match=r"R\.jsonl, line 2: 'ann' belongs to 'Q' and to 'P'"):
        score_hypotheses(specification, reference=things, hypotheses=things)


def test_iso_dates_and_day_numbers_are_both_dates(specify, write):
    path = write(
        "R.jsonl", [{"type": "Attack", "uid": "A", "date": "2001-01-11"}, {"type": "Attack", "uid": "B", "date": 4}]
    )
    things = read_things(path, specification=specify()).of("Attack")
    assert things["A"].values["date"] == [730496]
    assert things["B"].values["date"] == [4]


def test_a_missing_file_is_named(specify, tmp_path):
    with pytest.raises(BadFile, match=r"none\.jsonl cannot be read"):
        read_things(tmp_path / "none.jsonl", specification=specify())


def test_values_said_twice_count_once_and_null_is_no_value(specify, write):
    path = write("R.jsonl", [{"type": "Attack", "uid": "A", "actors": ["x", "x", "y"], "date": None}])
    assert read_things(path, specification=specify()).of("Attack")["A"].values == {"actors": ["x", "y"]}
