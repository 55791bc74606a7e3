"""Benchmark against judgement: three kinds of result, kept apart, on results that are known."""

import numpy as np
import pytest

from mensura.catalog.imitation.versus.comparison import SystemResults, compare_kinds
from mensura.errors import BadData

CLEVER = SystemResults([1.0] * 54 + [0.0] * 6, [0.0] * 30 + [1.0] * 10, [[0.5, 0.6, 0.2]] * 30 + [[0.5, 0.7, 0.8]] * 10)
SMOOTH = SystemResults([0.5] * 30 + [1.0] * 15 + [0.0] * 15, [1.0] * 25 + [0.0] * 15, [[0.5, 0.6, 0.6]] * 40)


def compared(systems=None, **options):
    given = systems or {"clever": CLEVER, "smooth": SMOOTH}
    return compare_kinds(given, benchmark="the schemas", judges="simulated judges", **options)


def test_a_rank_that_changes_is_found_with_its_intervals():
    (turned,) = compared().turned
    assert (turned.by_grade, turned.by_verdict) == ("clever", "smooth")
    assert turned.grade.value == pytest.approx(0.4)
    assert turned.verdict.value == pytest.approx(15 / 40)
    assert turned.shown


def test_errors_that_cost_the_verdict_but_not_the_grade_are_counted():
    found = {one.name: one for one in compared().systems}
    assert found["clever"].watson.value == 0.75
    assert found["smooth"].watson.value == 0
    assert found["clever"].grade.value == pytest.approx(0.9)


def test_systems_in_one_order_by_both_change_no_rank():
    worse = SystemResults([0.0] * 60, [0.0] * 40)
    assert compared({"clever": CLEVER, "worse": worse}).turned == ()


def test_the_report_keeps_three_kinds_of_result_apart_and_says_what_each_is():
    told = "\n".join(compared(control=[1.0] * 12 + [0.0] * 12).lines())
    places = [told.index(f"## {kind}") for kind in ("Benchmark: a score", "Judgement: a verdict", "Competition")]
    assert places == sorted(places)
    assert "smooth came first" in told
    assert "People in the same place: 0.5" in told
    assert "simulated judges" in told


def test_without_people_in_the_machines_place_nothing_is_called_a_pass():
    assert "no share can be called a pass" in "\n".join(compared().lines())


def test_without_beliefs_watson_errors_are_unknown_not_zero():
    found = compared({"a": SystemResults([1.0], [1.0]), "b": SystemResults([0.0], [0.0])})
    assert all(np.isnan(one.watson.value) for one in found.systems)


def test_the_order_of_systems_items_and_games_changes_nothing():
    turned = SystemResults(CLEVER.grades[::-1], CLEVER.taken[::-1], CLEVER.beliefs[::-1])
    assert compared({"smooth": SMOOTH, "clever": turned}).lines() == compared().lines()


@pytest.mark.parametrize(
    ("systems", "words"),
    [
        ({"clever": CLEVER}, "at least two"),
        ({"a": CLEVER, "b": SystemResults([], [1.0])}, "the benchmark"),
        ({"a": CLEVER, "b": SystemResults([1.0], [])}, "the game"),
        ({"a": CLEVER, "b": SystemResults([1.0], [1.0], [[0.5], [0.5]])}, "courses of belief"),
    ],
)
def test_a_system_that_took_only_one_of_both_is_refused(systems, words):
    with pytest.raises(BadData, match=words):
        compared(systems)
