"""A calibration as tables and pictures."""

from dataclasses import replace

from mensura.exhibit.response import measurement_exhibits
from mensura.running.calibrating.report import calibration_report
from mensura.stats.response.measurement import measure
from tests.stats.response.simulated import people_and_machines, simulated


def test_all_that_is_measured_is_shown():
    found = people_and_machines(120)
    exhibits = measurement_exhibits(found, limit=5)
    assert [one.title for one in exhibits] == [
        "Items",
        "Item curves and information",
        "Persons beside items",
        "People and machines of the same ability",
        "People and machines calibrated apart",
    ]
    assert [len(one.rows) for one in exhibits] == [5, 0, 5, 5, 0]
    assert "lowest c" not in exhibits[0].columns
    assert "The first 5 of 270" in exhibits[2].notes[-1]
    assert all(figure.svg.startswith("<svg") for one in exhibits[1:3] for figure in one.figures)
    assert "log likelihood" in calibration_report(found, sources=["x"]).answer


def test_only_three_parameters_have_a_lowest_chance():
    shown = measurement_exhibits(measure(simulated(300, 6, seed=1).matrix, model="3pl"), limit=2)[0]
    assert shown.columns[4:7] == ("difficulty b", "discrimination a", "lowest c")
    assert {len(row) for row in shown.rows} == {len(shown.columns)}


def test_presentations_that_cannot_be_compared_are_named_once():
    reasons = {"base=8": "Too few.", "base=16": "Too few.", "wording=next": "Too alike."}
    found = replace(people_and_machines(4), presentations=reasons)
    shown = next(one for one in measurement_exhibits(found) if one.title.startswith("The same problems"))
    assert shown.words == (
        "2 presentations cannot be compared with the usual one. Too few.\n"
        "1 presentation cannot be compared with the usual one. Too alike."
    )
    assert list(shown.notes) == list(reasons)


def test_a_group_that_is_too_small_has_a_sentence_in_place_of_numbers():
    apart, linked = measurement_exhibits(people_and_machines(4))[-2:]
    assert "machines has 4 persons" in apart.words
    assert not apart.rows
    assert "Too small to calibrate" in linked.words
