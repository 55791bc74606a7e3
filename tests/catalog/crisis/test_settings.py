"""Conditions: which tools each has, and which files of one's own are refused."""

from pathlib import Path

import pytest

from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.visible import visible
from mensura.catalog.crisis.scoring.scoring import score
from mensura.catalog.crisis.settings import ASSISTED, CONDITIONS, find_condition
from mensura.catalog.crisis.tools import TOOLS
from mensura.catalog.crisis.world.conference import Conference
from mensura.errors import BadFile, BadParameter
from mensura.running.take import take


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


def test_the_sheet_begins_with_the_facts_that_the_assistant_was_built_with(small: Conference) -> None:
    offices = [OfficeState(small, tools=has.tools, checks=has.checks) for has in CONDITIONS.values()]
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


def test_a_session_under_a_condition_of_ones_own_is_scored_where_its_file_is_gone(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("about: Writing.\ntools: [brief, finish]\n")
    acts = iter([("brief", {"text": "0 words."}), ("finish", {})])

    def writer(ask: object) -> dict[str, object]:
        call, arguments = next(acts)
        return {"call": call, "arguments": arguments}

    taken = take(crisis, writer, seed=1, parameters={"package": "practice-1", "minutes": 10, "condition": str(mine)})
    before = score(taken.record, taken.truths)
    mine.write_text("about: Leaving.\ntools: [finish]\n")
    find_condition.cache_clear()
    changed = score(taken.record, taken.truths)
    mine.unlink()
    find_condition.cache_clear()
    gone = score(taken.record, taken.truths)
    assert before.details["briefing_present"]
    assert (before.values, before.details) == (changed.values, changed.details) == (gone.values, gone.details)


@pytest.mark.parametrize("condition", ["cots", "radar-l", "radar+l", "agent"])
@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"learned": "nowhere.json"}, "no file 'nowhere.json'"), ({"ablate": "clasifier"}, "Did you mean classifier")],
)
def test_a_wrong_name_is_refused_whether_or_not_it_would_be_used(
    condition: str, wrong: dict[str, str], words: str
) -> None:
    with pytest.raises(BadParameter, match=words):
        take(
            crisis,
            dict.fromkeys(CONDITIONS[condition].roles, lambda ask: None),
            seed=1,
            parameters={"package": "practice-1", "condition": condition, **wrong},
        )


def test_every_argument_of_a_tool_is_described_and_every_number_has_bounds():
    for name, tool in TOOLS.items():
        for argument, schema in tool.schema()["properties"].items():
            assert schema["description"], (name, argument)
            assert schema["type"] != "integer" or {"minimum", "maximum"} <= schema.keys(), (name, argument)
