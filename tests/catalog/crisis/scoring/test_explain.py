"""Every lost point has a reason, and reasons sum to what was lost."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from mensura.catalog.crisis.scoring.explain import explain
from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.scoring.tree import grade

Change = Callable[..., Snapshot]


def test_lost_points_sum_to_what_is_missing(moved: Change, found: Snapshot, done: Snapshot) -> None:
    offices = [
        found,
        done,
        moved({"panel": ("l12", 11)}, spent=130.0, bumps=3),
        moved(briefing="The keynote is in Orchard Auditorium."),
        replace(found, place=dict.fromkeys(found.place), spent=1e6, bumps=99),
        replace(done, site={**done.site, "site-ada": {}, "site-kofi": {}}),
    ]
    for office in offices:
        graded = grade(office)
        lost = explain(graded, office.world)
        assert sum(one.points for one in lost) == pytest.approx(1 - graded.parts["final"])


def test_the_dearest_comes_first_and_every_line_is_a_sentence(found: Snapshot) -> None:
    lost = explain(grade(found), found.world)
    points = [one.points for one in lost]
    assert points == sorted(points, reverse=True)
    assert all(one.sentence.rstrip(")").endswith(".") for one in lost)
    assert lost[0].sentence == "The chair has no briefing."


def test_a_request_is_explained_in_the_words_of_who_asked(moved: Change) -> None:
    lost = explain(grade(moved({"panel": ("l12", 11)})), moved().world)
    sentence = next(one.sentence for one in lost if one.what == "building-panel")
    assert sentence.startswith("the ants panel is in Linden 12, which is in another building")
    assert "would like to be in Orchard House" in sentence


def test_an_item_of_the_briefing_is_explained_by_what_it_gets(moved: Change) -> None:
    office = moved(briefing="The keynote is in Orchard Auditorium.")
    sentences = [one.sentence for one in explain(grade(office), office.world) if one.part == "briefing"]
    assert "'The keynote is in Orchard Auditorium.' gets 3 of 4: it says where or when an event is." in sentences


def test_nothing_is_lost_by_a_perfect_office(moved: Change) -> None:
    text = (
        "The keynote expects 170.\nKofi Mensah cannot come on Tuesday.\nOrchard Auditorium holds 180.\n4 events moved."
    )
    office = moved(briefing=text)
    assert explain(grade(office), office.world) == []
