"""One driver under all doors: the same case leaves the same log, whichever way the answers come in."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from mensura.dialogue import Action, Ask, Readings, Round, Sees, Test, Timing, test
from tests.running.doors import COST, CRASH, DOORS, LOST, Case

MOVE = Action(("left", "right", "far"))
SEES = Sees((1,), -1e9, 1e9)
LEFT, RIGHT, FAR, NONSENSE = {"answer": 0}, {"answer": 1}, {"answer": 2}, {"answer": 7}


def declare(name: str, roles: tuple[str, ...] = ("subject",)) -> Callable[[Any], Test]:
    """Declare a test of this table: a clock, moves that cost, and what agents see."""
    timing = Timing(cost=lambda move: COST[move])
    return test(f"{name}-v1", roles=roles, timing=timing, sees=SEES, acts=MOVE)


def ask(role: str = "subject", key: str = "move", **more: Any) -> Ask:
    return Ask(Readings([1.0]), MOVE, role=role, key=key, **more)


@declare("one")
def one(rng, *, clock):
    """Ask twice."""
    yield ask(key="first", until=5)
    yield ask(key="second", until=10)


@declare("everyone", ("a", "b"))
def everyone(rng, *, clock):
    """Ask both, and wait for both."""
    yield Round([ask("a"), ask("b")], until=5)


@declare("either", ("a", "b"))
def either(rng, *, clock):
    """Ask both twice; one answer is enough."""
    for _ in range(2):
        yield Round([ask("a"), ask("b")], need="any", until=20)


@declare("most", ("a", "b", "c"))
def most(rng, *, clock):
    """Ask three; two answers are enough."""
    yield Round([ask("a"), ask("b"), ask("c")], need=2, until=20)


@declare("hurry", ("a", "b"))
def hurry(rng, *, clock):
    """Ask both three times, the second time for a short while."""
    for until in (5, 8, 20):
        yield Round([ask("a"), ask("b")], until=until)


@declare("patient", ("a", "b"))
def patient(rng, *, clock):
    """Ask both, without a deadline."""
    yield Round([ask("a"), ask("b")])


AGENTS = {"environment": "an agent that steps an environment always acts"}
OWN_CODE = {"environment": "an agent that crashes is the user's own program, which ends"}
PEOPLE = {"page": "on a page there is a person, and it has no button to decline by"}
BEFORE = {"both": "a program crashes when it is asked, before a person can answer"}
AGAIN = {"page": "people are free again when a question lapses"}
LEAVES = {"bridge": "an agent that leaves has not failed: its session stays open, to be resumed"}
CASES = {
    "need all": Case(
        everyone,
        {"a": [RIGHT], "b": [LEFT]},
        ["ask a", "ask b", "answer b 0 at 1", "answer a 1 at 2", "end finished at 2"],
    ),
    "need any": Case(
        either,
        {"a": [LEFT, LEFT], "b": [RIGHT, RIGHT]},
        # The act of b that is under way when the first round ends is given to the second.
        [
            *("ask a", "ask b", "answer a 0 at 1", "withdraw b at 1"),
            *("ask a at 1", "ask b at 1", "answer a 0 at 2", "withdraw b at 2", "end finished at 2"),
        ],
    ),
    "need two of three": Case(
        most,
        {"a": [FAR], "b": [LEFT], "c": [RIGHT]},
        ["ask a", "ask b", "ask c", "answer b 0 at 1", "answer c 1 at 2", "withdraw a at 2", "end finished at 2"],
    ),
    "price in ticks": Case(
        one,
        {"subject": [LEFT, RIGHT]},
        ["ask first", "answer first 0 at 1", "ask second at 1", "answer second 1 at 3", "end finished at 3"],
    ),
    "late": Case(
        one,
        {"subject": [FAR, LEFT]},
        ["ask first", "lapse first at 5", "ask second at 5", "answer second 0 at 6", "end finished at 6"],
    ),
    "absent": Case(
        one,
        {"subject": [{"wait": True}, LEFT]},
        ["ask first", "lapse first at 5", "ask second at 5", "answer second 0 at 6", "end finished at 6"],
        AGENTS,
    ),
    "one absent": Case(
        everyone,
        {"a": [{"wait": True}], "b": [LEFT]},
        ["ask a", "ask b", "answer b 0 at 1", "lapse a at 5", "end finished at 5"],
        AGENTS,
    ),
    "absent without a deadline": Case(
        patient,
        {"a": [LEFT], "b": [{"wait": True}]},
        ["ask a", "ask b", "answer a 0 at 1", "fail timed_out by b at 1", "forfeit b at 1", "end timed_out at 1"],
        {**AGENTS, "page": "a person may think for ever"},
    ),
    "price of another": Case(
        hurry,
        {"a": [LEFT, LEFT, LEFT], "b": [FAR, LEFT]},
        # The act of b takes nine ticks: it lapses twice, and costs nobody else anything.
        [
            *("ask a", "ask b", "answer a 0 at 1", "lapse b at 5"),
            *("ask a at 5", "ask b at 5", "answer a 0 at 6", "lapse b at 8"),
            *("ask a at 8", "ask b at 8", "answer a 0 at 9", "answer b 0 at 9", "end finished at 9"),
        ],
        AGAIN,
    ),
    "invalid": Case(
        one,
        {"subject": [NONSENSE, LEFT, LEFT]},
        [
            *("ask first", "invalid first 7 at 1", "answer first 0 at 2"),
            *("ask second at 2", "answer second 0 at 3", "end finished at 3"),
        ],
    ),
    "invalid too often": Case(
        one,
        {"subject": [NONSENSE, NONSENSE, NONSENSE]},
        [
            *("ask first", "invalid first 7 at 1", "invalid first 7 at 2", "invalid first 7 at 3", "fail invalid at 3"),
            *("lapse first at 5", "ask second at 5", "lapse second at 10", "end invalid at 10"),
        ],
        {"page": "a person's slips end nothing (tests/running/test_live_people.py)"},
    ),
    "refused": Case(
        one,
        {"subject": [{"refuse": "no"}, {"abstain": "?"}]},
        [
            "ask first",
            "refuse first 'no' at 1",
            "ask second at 1",
            "abstain second '?' at 2",
            "end finished at 2",
        ],
        {**AGENTS, **PEOPLE},
    ),
    "crashed": Case(
        everyone,
        {"a": [LEFT], "b": [CRASH]},
        # What the other has answered stays given.
        ["ask a", "ask b", "answer a 0 at 1", "fail crashed by b at 1", "lapse b at 5", "end crashed at 5"],
        {
            **OWN_CODE,
            **PEOPLE,
            **LEAVES,
            **BEFORE,
        },
    ),
    "crashed where one is enough": Case(
        either,
        {"a": [LEFT], "b": [CRASH]},
        [
            *("ask a", "ask b", "answer a 0 at 1", "withdraw b at 1", "ask a at 1", "ask b at 1"),
            *("fail crashed by b at 1", "lapse a at 20", "lapse b at 20", "end crashed at 20"),
        ],
        {**OWN_CODE, **PEOPLE, **LEAVES, **BEFORE},
    ),
    "lost": Case(
        one,
        {"subject": [LOST]},
        # It can be resumed, so nothing is logged.
        ["ask first"],
        {
            **OWN_CODE,
            **PEOPLE,
            **LEAVES,
            "program": "a program is started here; what breaks off is its own failure",
        },
        {
            "tcp": ("a server that is out is out before the first ask", []),
            "http": ("a server that is out is out before the first ask", []),
            "live": (
                "a person waits there, so the session ends",
                [
                    "ask first",
                    "fail lost",
                    "lapse first at 5",
                    "ask second at 5",
                    "lapse second at 10",
                    "end lost at 10",
                ],
            ),
        },
    ),
}


def written(events: list[Any]) -> Iterator[str]:
    """Write a log in words, without what differs from door to door: nonces, notes, last words."""
    for event in events:
        if event.kind in ("digest", "tell"):
            continue
        many = event.role not in ("", "subject")
        parts = [event.kind, event.role if many else event.key]
        if event.kind in ("end", "fail"):
            blamed = event.value.get("roles")
            parts = [event.kind, event.value["status"], f"by {', '.join(blamed)}" if blamed else ""]
        elif event.kind in ("answer", "invalid", "refuse", "abstain"):
            parts.append(repr(event.value))
        if event.tick:
            parts.append(f"at {event.tick}")
        yield " ".join(part for part in parts if part)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", CASES)
def test_a_case_leaves_the_same_log_through_every_door(name, door, store, monkeypatch):
    case = CASES[name]
    if door in case.unless:
        pytest.skip(case.unless[door])
    with ExitStack() as stack:
        events = DOORS[door](case, store=store, monkeypatch=monkeypatch, stack=stack)
    assert list(written(events)) == (case.otherwise[door][1] if door in case.otherwise else case.log)
