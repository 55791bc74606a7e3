"""Asks that travel to another process and are made again there."""

import json

import numpy as np
import pytest

from mensura.dialogue import (
    Action,
    Allocation,
    Anything,
    Ask,
    Call,
    Calls,
    Chart,
    Choice,
    Circle,
    Density,
    Distribution,
    Embedded,
    Feature,
    File,
    Grid,
    Image,
    Likert,
    Mailbox,
    Map,
    Message,
    Number,
    Outcome,
    Point,
    Probability,
    Questions,
    Readings,
    Space,
    Table,
    TableView,
    Text,
    Tool,
    Vector,
    prompt_data,
    prompt_text,
)
from mensura.dialogue.spaces.described import Described, read_space
from mensura.errors import MensuraError
from mensura.subjects.outside.decoding import read_ask, read_outcome, read_prompt
from mensura.subjects.outside.protocol import ask_line, ask_message, end_message, written

SPACES = [
    Action(("left", "right"), keys=("ArrowLeft", "ArrowRight")),
    Allocation(("a", "b"), total=10, unit="patrols"),
    Anything(),
    Calls({"say": Tool("Say it.", {"words": Text()}), "go": Tool("Go.")}),
    Call({"say": Tool("Say it.", {"words": Text(), "loud": Likert(3)}, optional=("loud",)), "go": Tool("Go.")}),
    Choice(("red", "blue")),
    Circle((0, 0), (5, 5), largest=2),
    Density(0, 10, levels=(0.1, 0.5, 0.9), unit="m"),
    Density(0, 10, bins=4),
    Distribution(("a", "b")),
    File(types=("text/plain",), most_bytes=100),
    Likert(5, "no", "yes"),
    Number(low=0, high=4, integer=True, unit="m"),
    Point((0, 0), (5, 5)),
    Probability(),
    Embedded({"type": "number", "minimum": 0}),
    Questions({"q1": ("Old?", Number(low=0)), "q2": ("Glad?", Likert(5))}),
    Table({"age": Number(low=0), "colour": Choice(("red", "blue"))}, most_rows=3),
    Text(longest=5),
    Vector((-1.0, -np.inf), (1.0, np.inf)),
    Vector((0, 0), (3, 5), integer=True),
]
PROMPTS = [
    "Heads?",
    ["Look:", Grid([["A", ""]], legend={"A": "you"})],
    TableView(("coin", "bias"), [("A", 0.5)], title="Coins"),
    Chart("bar", {"x": [1, 2], "y": [3, 4]}, x="x", y="y", words="Two bars"),
    Map((0, 0), (9, 9), [Feature("line", [(1, 2), (3, 4)], label="road")], unit="mile"),
    Mailbox([Message("m1", "Ada", "Room", "Which?", tick=3)], title="Inbox"),
    Image(b"\x89PNG", "a picture"),
    Readings(np.array([0.5, 1.5]), ("speed", "height")),
]


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.kind)
def test_every_space_is_the_same_on_the_other_side(space):
    message = json.loads(ask_line(Ask("?", space), number=1))
    again = read_ask(message).space
    assert type(again) is type(space)
    assert again.fingerprint == space.fingerprint
    assert again.schema() == space.schema()
    answer = space.draw(np.random.default_rng(1))
    assert again.draw(np.random.default_rng(1)) == answer
    assert again.check(answer) == space.check(answer)


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: type(prompt).__name__)
def test_every_prompt_is_the_same_on_the_other_side(prompt):
    message = json.loads(ask_line(Ask(prompt, Probability()), number=1))
    again = read_ask(message).prompt
    assert type(again) is type(prompt)
    assert written(prompt_data(again)) == written(prompt_data(prompt))
    assert prompt_text(again) == prompt_text(prompt) == message["text"]


def test_all_kinds_of_spaces_of_the_dialogue_are_known():
    def kinds(space):
        own = {space.kind} if "kind" in vars(space) and space.__module__.startswith("mensura.dialogue") else set()
        return own.union(*map(kinds, space.__subclasses__()))

    assert kinds(Space) - {Described.kind} == {space.kind for space in SPACES}


def test_readings_that_are_not_finite_come_back_as_nan():
    again = read_prompt(json.loads(written(Readings(np.array([1.0, np.nan])).data())))
    np.testing.assert_array_equal(again.values, [1.0, np.nan])


def test_what_is_not_known_keeps_its_description():
    space = read_space({"kind": "melody", "notes": 3}, schema={"type": "array"})
    assert isinstance(space, Described)
    assert space.schema() == {"type": "array"}
    assert space.check([1, 2]) == [1, 2]
    assert space.parse({"answer": "do re"}) == "do re"
    with pytest.raises(MensuraError, match="'melody' cannot be drawn"):
        space.draw(np.random.default_rng(1))
    prompt = read_prompt({"kind": "sound", "pitch": 440}, text="A tone")
    assert (prompt.data()["pitch"], prompt.text()) == (440, "A tone")


def test_an_outcome_comes_back():
    outcome = Outcome(Grid([["A"]]), {"buyer": 1.0}, truncated=True)
    assert read_outcome(json.loads(written(end_message(outcome)))) == Outcome(Grid([["A"]]), {"buyer": 1.0}, True)


def test_the_line_of_an_ask_is_its_message():
    for space in SPACES * 2:
        ask = Ask(["One", "two"], space, key="k", role="r", until=3, reward=0.5)
        assert json.loads(ask_line(ask, number=7)) == json.loads(written(ask_message(ask, number=7)))
