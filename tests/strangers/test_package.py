"""A foreign package adds a space, a test, a prefix, a verb and a figure, and each is used as ours are."""

import json
import shlex
import sys

import numpy as np
import pytest

from mensura.catalog.find import find_test, list_tests
from mensura.dialogue.spaces.base import space_class
from mensura.dialogue.spaces.described import Described, read_space
from mensura.errors import BadParameter
from mensura.running.run import run
from mensura.running.take import take
from mensura.store import open_store
from mensura.web.app import create_app
from mensura.web.participant.invitation import invite
from mensura.web.settings import WebSettings
from tests.cli.conftest import mensura  # noqa: F401 - a fixture
from tests.web.conftest import Visitor

AGENT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ask":
        assert message["schema"] == {"type": "number", "minimum": 0, "maximum": 360}
        east, north = message["prompt"]["values"]
        print(json.dumps({"answer": 90 if east > 0 else 270, "number": message["number"]}), flush=True)
"""


@pytest.fixture
def store(compass, tmp_path):
    with open_store(str(tmp_path / "mensura.db")) as opened:
        yield opened


def test_chance_takes_it_and_its_natural_score_is_declared(store):
    result = run("compass", "chance", sessions=30, seed=1, store=store)
    found = result.estimated["angle"]
    assert result.counts["finished"] == 30
    assert (found.score.better, found.score.high, found.score.unit) == ("less", 180, "degrees")
    assert 70 < found.estimate.value < 110


def test_a_program_answers_by_its_schema(store, tmp_path):
    agent = tmp_path / "agent.py"
    agent.write_text(AGENT)
    result = run("compass", f"program:{sys.executable} {agent}", sessions=2, seed=1, store=store)
    assert result.counts["finished"] == 2
    assert result.estimated["angle"].estimate.value < 90


def test_a_file_in_its_own_process_answers(store, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("def respond(ask):\n    return 0 if ask.space.schema() else None\n")
    monkeypatch.chdir(tmp_path)
    assert run("compass", "./mine.py:respond", sessions=1, seed=1, store=store).counts["finished"] == 1


def test_its_description_is_the_space_again_where_the_package_is(compass):
    described = {"kind": "bearing"}
    assert read_space(described) == space_class("bearing")()
    assert isinstance(read_space({"kind": "melody"}), Described)


def test_a_prefix_reads_what_follows_the_colon(compass):
    taken = take(find_test("compass"), find("needle:90"), seed=1)
    assert {answer.value for answer in taken.record.answers} == {90}
    with pytest.raises(BadParameter, match="points to a number of degrees: needle:90; got needle:up"):
        find("needle:up")
    with pytest.raises(BadParameter, match="Say after needle and a colon"):
        find("needle")
    with pytest.raises(BadParameter, match="It has none"):
        find("needle:90#speed=3")


def find(name):
    from mensura.subjects import find_subject

    return find_subject(name, find_test("compass"))()


@pytest.mark.parametrize("rule", ["mean", "median"])
def test_a_team_pools_by_the_rule_of_the_space(compass, rule):
    taken = take(find_test("compass"), find(f"team:{rule}(needle:350,needle:10)"), seed=1)
    pooled = taken.record.answers[0].value
    assert min(pooled, 360 - pooled) < 1e-9


def test_an_agent_takes_it_as_an_environment(compass):
    pytest.importorskip("gymnasium")
    from mensura.running.environment.environment import as_env

    env = as_env(find_test("compass"), seed=1, places=2)
    seen, _ = env.reset()
    assert seen.shape == (2,)
    assert env.action_space.contains(np.float64(359))
    assert [env.step(np.float64(360))[2] for _ in range(2)] == [False, True]


def test_a_person_answers_on_a_page_with_its_control(compass, tmp_path):
    app = create_app(WebSettings(store=str(tmp_path / "mensura.db")))
    store = app.state.laboratory.store
    link = invite("compass", "human", store=store, seed=1, parameters={"places": 2})[1][0]
    visitor = Visitor(app, link.path)
    while visitor.kind in ("consent", "words"):
        visitor.post("next")
    assert 'class="field bearing"' in visitor.text
    script = visitor.text.split('data-module="')[1].split('"')[0]
    assert "WINDS" in visitor.client.get(script).text
    visitor.answer("400")
    assert "A bearing lies between 0 and 360 degrees; got 400." in visitor.text
    visitor.answer("90")
    visitor.answer("180.5")
    assert visitor.kind == "over"
    app.state.laboratory.close()


def test_a_bank_of_items_can_name_it(compass, tmp_path):
    file = tmp_path / "items.jsonl"
    lines = [{"prompt": "Where does the sun rise?", "answer": 90, "space": "bearing"}]
    file.write_text("\n".join(map(json.dumps, lines)))
    taken = take(find_test(str(file)), find("needle:80"), seed=1)
    assert taken.record.answers[0].kind == "bearing"


def test_every_command_of_the_page_works_and_shows_what_was_brought(mensura, commands, tmp_path):  # noqa: F811
    told = {command: mensura(*shlex.split(command)) for command in commands() if command.split()[0] != "take"}
    assert [command for command, done in told.items() if done.status] == []
    assert "compass-v1" in list_tests()
    listed = told["list"].out
    assert "Say in which direction a place lies." in listed
    assert "bearing  A direction in degrees clockwise from north, from 0 to 360." in listed
    assert "needle  Point always in one direction: needle:90." in listed
    assert told["rose 90"].out == "E\n"
    assert "How far off the compass was" in mensura("compare", "last~1", "last").out
    page = (tmp_path / "compass.html").read_text()
    assert "How far off the compass was" in page
    assert "Mean angle of each session." in page
    assert "Name the wind of a bearing." in mensura("--help").out
