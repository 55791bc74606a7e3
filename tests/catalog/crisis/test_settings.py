"""Conditions: which tools each has, and which files of one's own are refused."""

from pathlib import Path

import pytest

from mensura.catalog.crisis.office.office import Office
from mensura.catalog.crisis.office.visible import visible
from mensura.catalog.crisis.settings import ASSISTED, CONDITIONS, find_condition
from mensura.catalog.crisis.world.world import World
from mensura.errors import BadFile


def test_learning_is_all_that_tells_the_two_assistants_apart() -> None:
    unlearned, learned = CONDITIONS["radar-l"], CONDITIONS["radar+l"]
    assert unlearned.model_copy(update={"learning": True, "about": learned.about}) == learned


def test_plain_tools_have_no_checks_no_labels_and_nobody_to_ask() -> None:
    for name in ("cots", "cots+a"):
        condition = CONDITIONS[name]
        assert not condition.tools & (ASSISTED | {"accept", "constrain", "publish"})
        assert not condition.checks
        assert not condition.labels
        assert "assistant" not in condition.roles
    assert CONDITIONS["cots"].tools == CONDITIONS["cots+a"].tools


def test_the_sheet_begins_with_the_facts_that_the_assistant_was_built_with(small: World) -> None:
    offices = [Office(small, tools=has.tools, checks=has.checks) for has in CONDITIONS.values()]
    facts = [visible(office)["facts"] for office in offices]
    assert all(each == facts[0] for each in facts)
    capacity = {room.id: room.capacity for room in small.rooms}
    assert any(facts[0]["capacity"][room].get(layout) != n for room in capacity for layout, n in capacity[room].items())


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("tools: [read, accept]", "accept needs someone to answer"),
        ("tools: [read]\nlabels: true", "labels needs someone to answer"),
        ("tools: [read]\nlearning: true", "learning needs someone to answer"),
        ("tools: []", "`tools` is empty"),
    ],
)
def test_a_condition_that_cannot_be_is_refused(tmp_path: Path, said: str, words: str) -> None:
    (tmp_path / "mine.yaml").write_text(f"about: Mine.\n{said}\n")
    with pytest.raises(BadFile, match=words):
        find_condition(str(tmp_path / "mine.yaml"))
