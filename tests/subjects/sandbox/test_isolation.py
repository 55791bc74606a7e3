"""How far a subject is kept apart is known before the run and said in a few words."""

import pytest

from mensura.dialogue import Ask, Probability, test
from mensura.errors import BadParameter
from mensura.subjects import SubjectSpec
from mensura.subjects.outside.bridge import Bridge
from mensura.subjects.sandbox import sandbox as sandboxing
from mensura.subjects.sandbox.confinement import BUBBLEWRAP, Confinement
from mensura.subjects.sandbox.isolation import isolation_of, isolation_words

ON, AUTO, OFF = Confinement(sandbox="on"), Confinement(), Confinement(sandbox="off")


@test("even-v1", subjects={"plain": lambda ask: 0.75})
def even(rng):
    """Say the chance of heads."""
    yield Ask("Heads?", Probability())


@pytest.fixture(autouse=True)
def bubblewrap_works(monkeypatch):
    monkeypatch.setattr(sandboxing, "_works", lambda means: means == BUBBLEWRAP)


def kind(name, confinement=AUTO, **options):
    return isolation_of(SubjectSpec(name, options), even, confinement).kind


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("./mine.py:respond", "bubblewrap"),
        ("policy:./mine.py:act", "bubblewrap"),
        ("program:node agent.js", "bubblewrap"),
        ("./mine.py:respond#in_process=true", "trusted"),
        ("policy:package:act", "trusted"),
        ("package.module:name", "trusted"),
        ("plain", "own"),
        ("chance", "own"),
        ("constant:0.5", "own"),
        ("recorded:answers.csv", "own"),
        ("human", "outside"),
        ("terminal", "outside"),
        ("tcp://host:1", "outside"),
        ("https://host/x", "outside"),
        ("llm:small@http://host/v1", "outside"),
        ("llm:small@http://host/v1#tools=python", "bubblewrap"),
        ("llm:small@http://host/v1#mcp=program:node server.js", "bubblewrap"),
        ("llm:small@http://host/v1#mcp=http://host/mcp", "outside"),
        ("llm:small@http://host/v1#tools=python#approve=a.b:c", "trusted"),
        ("team:mean(chance,./mine.py:respond)", "bubblewrap"),
        ("team:mean(chance,team:vote(a.b:c,plain))", "trusted"),
        ("team:./mine.py:rule(chance,plain)", "trusted"),
        ("assisted:./mine.py:respond+llm:small@http://host/v1", "bubblewrap"),
    ],
)
def test_every_sort_of_subject_has_its_word(name, expected):
    assert kind(name) == expected
    if expected == "trusted":
        with pytest.raises(BadParameter, match="shares our memory, so no sandbox can hold it"):
            kind(name, ON)
    else:
        assert kind(name, ON) == expected


def test_without_a_sandbox_programs_are_not_isolated():
    assert kind("program:node agent.js", OFF) == kind("./mine.py:respond", OFF) == "not isolated"


def test_a_live_function_is_trusted_and_a_bridge_leads_outside():
    assert isolation_of(SubjectSpec.of(lambda ask: 0.5), even, AUTO).kind == "trusted"
    assert isolation_of(SubjectSpec("agent", given=Bridge()), even, ON).kind == "outside"
    with pytest.raises(BadParameter, match="shares our memory"):
        isolation_of(SubjectSpec.of(lambda ask: 0.5), even, ON)


def test_what_was_opened_is_recorded_and_said():
    opened = Confinement(allow=("/data",), network=True, pass_env=("KEY",))
    found = isolation_of(SubjectSpec("team:mean(chance,./mine.py:respond)"), even, opened).as_json()
    member = {"kind": "bubblewrap", "network": True, "allow": ["/data"], "pass_env": ["KEY"]}
    assert found == {"kind": "bubblewrap", "members": {"chance": {"kind": "own"}, "./mine.py:respond": member}}
    assert isolation_words({"subject": member}) == "in a sandbox (bubblewrap), with network, /data open, KEY"
    two = {"first": {"kind": "trusted"}, "second": {"kind": "own"}}
    assert isolation_words(two) == "first trusted: shares our memory; second not sandboxed: built in"
    assert isolation_words({}) == ""
