"""A calibration as tables and pictures."""

from mensura.exhibit.response import measurement_exhibits
from mensura.running.calibrating.report import calibration_report
from tests.stats.response.simulated import people_and_machines


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
    assert "The first 5 of 270" in exhibits[2].notes[-1]
    assert all(figure.svg.startswith("<svg") for one in exhibits[1:3] for figure in one.figures)
    assert "log likelihood" in calibration_report(found, sources=["x"]).answer


def test_a_group_that_is_too_small_has_a_sentence_in_place_of_numbers():
    apart, linked = measurement_exhibits(people_and_machines(4))[-2:]
    assert "machines has 4 persons" in apart.words
    assert not apart.rows
    assert "Too small to calibrate" in linked.words
