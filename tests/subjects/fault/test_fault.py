"""Faults: at dose 0 nothing changes, each strikes what it says, when it says, and the same bits come again."""

import numpy as np
import pytest

from mensura.dialogue import (
    Action,
    Ask,
    Distribution,
    Grid,
    Likert,
    Noted,
    Number,
    Outcome,
    Point,
    Probability,
    Readings,
    Sees,
    Vector,
    test,
)
from mensura.errors import BadParameter, SubjectCrashed, UnknownName
from mensura.subjects import SubjectSpec
from mensura.subjects.fault.fault import LOST, OURS, Faulty
from mensura.subjects.fault.memory import Age, Corrupt
from mensura.subjects.fault.messages import Double, Drop, Hurry, Lag
from mensura.subjects.fault.numbers import Dead, Distort, Noise, Slip
from mensura.subjects.group import unnoted
from mensura.subjects.policy import Policy


class Echo:
    """Answers how often it was asked, and keeps what it saw and heard."""

    recomputes = True
    learning = True

    def __init__(self):
        self.seen, self.heard, self.known = [], [], 0

    def begin(self, rng):
        self.rng = rng

    def __call__(self, ask):
        self.seen.append(ask.prompt)
        self.known += 1
        return float(len(self.seen))

    def feedback(self, told):
        self.heard.append(told.prompt)

    def snapshot(self):
        return {"known": self.known, "values": [1.0] * 100}

    def restore(self, state):
        self.known = state["known"]
        self.values = state["values"]


@test("reading-v1", subjects={"echo": Echo})
def reading(rng):
    """Ask for numbers."""
    for i in range(8):
        yield Ask(f"ask {i}", Number(), key=f"k{i}")


def taken(fault, asks=6, *, sessions=1, subject=None, ask=None, **window):
    """Let a faulty subject take sessions; gives it, and the answers of the last session."""
    faulty = Faulty(subject or Echo(), fault=fault, title="it", **window)
    for number in range(sessions):
        faulty.begin(np.random.default_rng(number))
        answers = [faulty(ask(i) if ask else Ask(f"ask {i}", Number(), reward=float(i))) for i in range(asks)]
        faulty.end(Outcome())
    return faulty, answers


@pytest.mark.parametrize(
    "fault",
    [
        *(Drop(0), Double(0), Hurry(0), Lag(0), Lag(0, "done"), Slip(0), Noise(0, "done"), Distort(0, what="done")),
        *(Dead(-1, "done"), Corrupt(0), Age(0)),
    ],
    ids=lambda fault: type(fault).__name__,
)
def test_at_dose_0_every_answer_and_the_subjects_own_chance_are_as_without_the_fault(fault):
    class Drawing(Echo):
        def __call__(self, ask):
            return self.rng.random()

    _, answers = taken(fault, subject=Drawing())
    alone = np.random.default_rng(0)
    assert answers == [alone.random() for _ in range(6)]


def test_a_larger_dose_strikes_wherever_a_smaller_one_did():
    def struck(rate):
        return {i for i, one in enumerate(taken(Drop(rate), 200)[1]) if unnoted(one)[1]}

    few, many = struck(0.1), struck(0.4)
    assert few < many
    assert 5 < len(few) < 40
    assert 50 < len(many) < 110


def test_a_dropped_message_reaches_nobody_and_its_answer_says_so():
    faulty, answers = taken(Drop(1.0), 2)
    faulty.feedback(Ask("told"))
    assert [unnoted(one) for one in answers] == [(LOST, {"fault": "it"})] * 2
    assert faulty.member.seen == faulty.member.heard == []


def test_a_doubled_message_is_heard_twice_and_its_first_answer_counts():
    faulty, answers = taken(Double(1.0), 2)
    faulty.feedback(Ask("told"))
    assert [unnoted(one)[0] for one in answers] == [1.0, 3.0]
    assert faulty.member.heard == ["told", "told"]


def test_without_time_to_think_the_last_answer_stands():
    faulty, answers = taken(Hurry(1.0), 3)
    assert [unnoted(one)[0] for one in answers] == [1.0, 1.0, 1.0]
    assert faulty.member.seen == ["ask 0"]


def test_what_is_seen_late_is_an_earlier_prompt_and_what_is_done_late_an_earlier_answer():
    faulty, _ = taken(Lag(2), 5)
    assert faulty.member.seen == ["ask 0", "ask 0", "ask 0", "ask 1", "ask 2"]
    _, answers = taken(Lag(2, "done"), 5)
    assert [unnoted(one)[0] for one in answers] == [LOST, LOST, 1.0, 2.0, 3.0]


SPACES = {
    "likert": (Likert(5), 5),
    "point": (Point((0, 0), (10, 10)), [9.0, 9.0]),
    "distribution": (Distribution(("a", "b")), {"a": 0.75, "b": 0.25}),
    "whole vector": (Vector((0, 0), (9, 9), integer=True), [3, 4]),
}


@pytest.mark.parametrize("name", SPACES)
def test_any_answer_that_is_made_of_numbers_is_changed_within_its_bounds(name):
    space, value = SPACES[name]
    given = taken(Noise(1.0, "done"), 50, ask=lambda i: Ask("?", space), subject=lambda asked: value)[1]
    done = [unnoted(one)[0] for one in given]
    assert all(space.check(one) == one for one in done)
    assert sum(one != value for one in done) > 5
    dead = taken(Dead(0, "done", value=1.0), 1, ask=lambda i: Ask("?", space), subject=lambda asked: value)[1][0].value
    first = next(iter(dead.values())) if isinstance(dead, dict) else dead[0] if isinstance(dead, list) else dead
    assert first == (0.8 if name == "distribution" else 1)


def test_readings_among_other_parts_of_a_prompt_are_changed_and_whole_ones_stay_whole():
    parts = ["Look:", Readings(np.array([3, 4]))]
    (words, readings), *_ = taken(Noise(3.0), 1, ask=lambda i: Ask(parts, Number()))[0].member.seen
    assert words == "Look:"
    assert readings.values.dtype == parts[1].values.dtype


@test("grid-v1", sees=Sees((2,), 0, 255, np.uint8, lambda prompt: [len(prompt.cells), 250]), acts=Action(("a", "b")))
def grid(rng):
    """Look at a grid."""
    yield Ask(Grid([["A"], ["B"]]), Action(("a", "b")))


def test_a_policy_sees_numbers_in_any_prompt_and_what_it_sees_is_changed_within_bounds():
    seen = []
    policy = Policy(lambda observation: seen.append(observation) or 0, test=grid)
    ask = next(grid(None))
    faulty = Faulty(Faulty(policy, fault=Distort(1.0), title="distort"), fault=Dead(0), title="dead")
    faulty.begin(np.random.default_rng(1))
    assert faulty(ask) == Noted(0, {"fault": "dead"})
    assert seen[0].dtype == np.uint8
    assert seen[0].tolist() == [0, 255]
    plain = Faulty(lambda ask: 0, fault=Noise(1.0), title="noise")
    plain.begin(np.random.default_rng(1))
    with pytest.raises(SubjectCrashed, match=r"the prompt is grid.*policy:"):
        plain(ask)


def test_numbers_that_are_seen_get_noise_are_stretched_or_dead():
    def ask(i):
        return Ask(Readings(np.array([1.0, 2.0], dtype=np.float32)), Number())

    noisy = taken(Noise(0.5), 200, ask=ask)[0].member.seen
    errors = np.array([prompt.values for prompt in noisy]) - [1, 2]
    assert abs(errors.std() - 0.5) < 0.06
    assert noisy[0].values.dtype == np.float32
    assert taken(Distort(0.5, shift=1.0), 1, ask=ask)[0].member.seen[0].values.tolist() == [2.5, 4.0]
    assert taken(Dead(1), 1, ask=ask)[0].member.seen[0].values.tolist() == [1.0, 0.0]
    with pytest.raises(SubjectCrashed, match="there are none"):
        taken(Noise(0.5), 1)
    with pytest.raises(SubjectCrashed, match="no part 2"):
        taken(Dead(2), 1, ask=ask)


def test_what_is_done_stays_within_what_can_be_done():
    def ask(i):
        return Ask("act", Vector((-1.0, 0.0), (1.0, 5.0)))

    def acts(fault, value):
        return unnoted(taken(fault, 1, ask=ask, subject=lambda asked: value)[1][0])[0]

    assert acts(Distort(9.0, what="done"), [0.5, 1.0]) == [1.0, 5.0]
    assert acts(Dead(0, "done"), [0.5, 1.0]) == [0.0, 1.0]
    share = taken(Noise(50.0, "done"), 1, ask=lambda i: Ask("?", Probability()), subject=lambda asked: 0.5)[1][0]
    assert unnoted(share)[0] in (0.0, 1.0)


def test_acts_without_numbers_slip_or_have_a_dead_one():
    def ask(i):
        return Ask("act", Action(("left", "right")))

    slipped = [unnoted(one)[0] for one in taken(Slip(1.0), 200, ask=ask, subject=lambda asked: 0)[1]]
    assert 60 < sum(slipped) < 140
    assert unnoted(taken(Dead(1, "done"), 1, ask=ask, subject=lambda asked: 1)[1][0])[0] == LOST
    assert taken(Dead(1, "done"), 1, ask=ask, subject=lambda asked: 0)[1] == [0]


def test_a_fault_strikes_from_its_onset_to_its_end_by_session_or_by_step():
    def struck(**window):
        return [bool(unnoted(one)[1]) for one in taken(Drop(1.0), 4, **window)[1]]

    assert struck(onset=1, end=3, clock="step") == [False, True, True, False]
    assert struck(onset=1, sessions=1) == [False] * 4
    assert struck(onset=1, sessions=2) == [True] * 4
    assert struck(onset=1, end=2, sessions=3) == [False] * 4


def test_memory_is_corrupted_or_as_it_was_before_and_the_count_of_sessions_branches():
    faulty, _ = taken(Corrupt(0.5), 1)
    assert 20 < sum(value == 0.0 for value in faulty.member.values) < 80
    faulty, _ = taken(Age(2), 3, sessions=4, onset=3)
    # Three sessions of three asks each were known; the fourth began as the second did.
    assert faulty.member.known == 3 + 3
    state = faulty.snapshot()
    faulty.begin(np.random.default_rng(9))
    assert faulty.snapshot() != state
    faulty.restore(state)
    assert faulty.snapshot() == state


def test_faults_are_named_nested_and_refused_in_words():
    make = lambda name: SubjectSpec(name).make(reading)  # noqa: E731
    assert make("fault:drop(echo)#rate=0.5").fault.rate == 0.5
    nested = make("fault:late(fault:drop(echo)#rate=0.5)#by=1")
    assert (nested.fault.by, nested.member.fault.rate, nested.member.member.seen) == (1, 0.5, [])
    assert set(OURS) == {"drop", "double", "late", "hurry", "slip", "noise", "distort", "dead", "corrupt", "age"}
    for name, kind, words in [
        ("fault:drob(echo)", UnknownName, "Did you mean drop"),
        ("fault:drop", BadParameter, "colon and what it shall be|fault:FAULT"),
        ("fault:drop(echo)#rate=2", BadParameter, "between 0 and 1"),
        ("fault:drop(echo)#speed=2", BadParameter, "option of this subject"),
        ("fault:drop(echo)#onset=3#end=3", BadParameter, "the end later"),
        ("fault:drop(echo)#clock=minute", BadParameter, "session or step"),
        ("fault:age(constant:1)#by=1.5", BadParameter, "whole number"),
    ]:
        with pytest.raises(kind, match=words):
            SubjectSpec(name).find(reading)
    with pytest.raises(BadParameter, match="no snapshot"):
        make("fault:corrupt(terminal)")
