"""Simulated participants in the small world, under every condition."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mensura.catalog.crisis.office.replay import office_of
from mensura.catalog.crisis.settings import find_condition
from mensura.catalog.crisis.subjects.traits import Traits, draw_traits
from mensura.dialogue import Record, Scores

Work = Callable[..., tuple[Record, Scores]]
CLUMSY = Traits(skill=0.2, speed=0.5, diligence=0.2)


def calls(record: Record, role: str = "subject") -> list[dict[str, Any]]:
    """Give what someone did."""
    return [answer.value for answer in record.of(role) if answer.status == "answered"]


@pytest.mark.parametrize("condition", ["cots", "cots+a", "radar-l", "agent"])
def test_a_competent_participant_finishes_well_above_doing_nothing(work: Work, condition: str) -> None:
    record, scores = work(condition)
    assert record.status == "finished"
    assert scores.values["final"] > scores.details["floor"]["final"] + 0.2
    assert scores.values["placed"] == 1


@pytest.mark.parametrize("condition", ["cots", "radar-l"])
def test_only_tools_of_the_condition_are_used_and_nothing_is_invalid(work: Work, condition: str) -> None:
    record, _ = work(condition)
    used = {act["call"] for act in calls(record)}
    assert used <= find_condition(condition).tools
    assert sum(answer.invalid for answer in record.answers) == 0
    assert ("optimise" in used) == (condition == "radar-l")


def test_the_same_seed_gives_the_same_session_and_another_gives_another(work: Work) -> None:
    first, again, other = (work("cots", traits=None, seed=seed)[0] for seed in (3, 3, 4))
    assert calls(first) == calls(again)
    assert calls(first) != calls(other)


def test_skill_speed_and_diligence_pay(work: Work) -> None:
    able = np.mean([work("cots", seed=seed)[1].values["final"] for seed in range(8)])
    clumsy = np.mean([work("cots", traits=CLUMSY, seed=seed)[1].values["final"] for seed in range(8)])
    assert able > clumsy + 0.1


def test_nothing_is_done_about_a_message_that_was_not_opened(work: Work) -> None:
    record, _ = work("cots")
    done = calls(record)
    opened: set[str] = set()
    for act in done:
        if act["call"] == "read":
            opened.add(act["arguments"]["message"])
        if act["call"] == "edit_entry" and act["arguments"]["entry"] == "site-kofi":
            assert "m-4" in opened
        if act["call"] == "order" and act["arguments"]["vendor"] == "petal":
            assert "m-6" in opened


def test_whoever_reads_the_list_marks_the_rooms_that_the_assistant_overlooked(work: Work) -> None:
    record, _ = work("radar+l", package="practice-1", seed=3)
    office = office_of(record)
    marks = [one for one in office.history if one.arguments.get("fact") == "lost"]
    by_hand = {one.arguments["room"] for one in marks if one.role == "subject"}
    by_assistant = {one.arguments["room"] for one in marks if one.role == "assistant"}
    assert by_hand
    assert by_assistant == set(office.world.loss.rooms) - by_hand
    assert office.lost == office.world.portal.lost


def test_two_people_share_the_work(work: Work) -> None:
    record, _ = work("cots+a")
    subject = {act["call"] for act in calls(record)}
    helper = {act["call"] for act in calls(record, "helper")}
    assert "move" in subject
    assert "move" not in helper
    assert {"read", "note", "edit_entry"} <= helper


def test_traits_are_drawn_as_stated() -> None:
    rng = np.random.default_rng(5)
    people = [draw_traits(rng) for _ in range(4000)]
    for name, mean, spread in (("skill", 0.75, 0.12), ("speed", 1.03, 0.26), ("diligence", 0.714, 0.16)):
        values = np.array([getattr(person, name) for person in people])
        assert values.mean() == pytest.approx(mean, abs=0.02)
        assert values.std() == pytest.approx(spread, abs=0.02)
