"""Driving one session: replies of every kind, failures, time, rounds."""

import time
from typing import ClassVar

import pytest

import mensura
from mensura.catalog.find import find_test
from mensura.dialogue import (
    Ask,
    Break,
    Instance,
    Limits,
    Noted,
    Number,
    Outcome,
    Probability,
    Refused,
    Round,
    Session,
    Timing,
    Wait,
    test,
)
from mensura.errors import BadParameter, SubjectCrashed
from mensura.running.driver import drive, recall
from mensura.running.take import take
from mensura.store import MemoryJournal
from mensura.subjects import Chance

HALF = Probability()


@test("three-v1")
def three(rng):
    """Ask three times, with a word and a rest in between."""
    yield Ask("one", HALF, key="one", truth=1)
    yield Ask("well done")
    yield Break()
    yield Ask("two", HALF, key="two")
    yield Ask("three", HALF, key="three")
    return Outcome("bye")


class Listener:
    """Keeps what it is told."""

    def __init__(self):
        self.heard = []

    def begin(self, rng):
        self.heard.append("begin")

    def feedback(self, told):
        self.heard.append(told.prompt)

    def end(self, outcome):
        self.heard.append(outcome.prompt)

    def __call__(self, ask):
        assert ask.truth is None
        return 0.5


def test_a_subject_is_begun_told_and_ended():
    subject = Listener()
    taken = take(three, subject, seed=1)
    assert subject.heard == ["begin", "well done", "bye"]
    assert taken.record.given() == {"one": 0.5, "two": 0.5, "three": 0.5}
    assert taken.truths == {"one": 1}


def test_notes_refusals_and_answers_are_told_apart():
    replies = {"one": Noted(0.5, {"tokens": 7}), "two": Refused("no"), "three": Noted(Refused("still no"))}
    record = take(three, lambda ask: replies[ask.key], seed=1).record
    assert [answer.status for answer in record.answers] == ["answered", "refused", "refused"]
    assert record.answers[0].notes == {"tokens": 7}


def test_an_invalid_answer_is_told_to_the_subject_and_asked_again():
    class Learner(Listener):
        def __call__(self, ask):
            return 0.5 if any("not valid" in str(word) for word in self.heard) else 3

    subject = Learner()
    record = take(three, subject, seed=1).record
    assert record.status == "finished"
    assert record.answers[0].invalid == 1
    assert "That answer was not valid: A probability lies between 0 and 1; got 3." in subject.heard


def test_nonsense_ends_as_invalid_and_a_crash_as_crashed_with_last_words():
    assert take(three, lambda ask: "maybe", seed=1).record.status == "invalid"

    def crash(ask):
        raise ZeroDivisionError("by nought")

    taken = take(three, crash, seed=1)
    assert taken.record.status == "crashed"
    assert "ZeroDivisionError" in taken.record.last_words


@pytest.mark.parametrize("method", ["begin", "feedback"])
def test_a_crash_outside_answering_is_the_subjects_too(method):
    subject = Listener()

    def crash(argument):
        raise RuntimeError("bad luck")

    setattr(subject, method, crash)
    assert take(three, subject, seed=1).record.status == "crashed"


def test_a_crash_after_the_end_changes_nothing():
    subject = Listener()

    def crash(outcome):
        raise RuntimeError("too late")

    subject.end = crash
    assert take(three, subject, seed=1).record.status == "finished"


def test_a_subject_that_hangs_is_timed_out():
    def hang(ask):
        while True:
            pass

    start = time.monotonic()
    taken = take(three, hang, seed=1, limits=Limits(answer_seconds=0.3))
    assert taken.record.status == "timed_out"
    assert time.monotonic() - start < 30


def test_a_session_that_takes_too_long_is_timed_out():
    def slow(ask):
        time.sleep(0.1)
        return 0.5

    taken = take(three, slow, seed=1, limits=Limits(session_seconds=0.05))
    assert taken.record.status == "timed_out"
    assert "0.05 s" in taken.record.last_words


@test("ticking-v1", timing=Timing(cost=lambda answer: int(answer * 10)))
def ticking(rng, clock):
    """Two asks with deadlines; an answer costs ten times its value."""
    first = yield Ask("one", HALF, key="one", until=5)
    second = yield Ask(f"{first} at {clock.now}", HALF, key="two", until=10)
    return Outcome(f"{second} at {clock.now}")


def test_a_program_pays_ticks_and_may_be_too_late():
    assert take(ticking, lambda ask: 0.3, seed=1).session.outcome.prompt == "0.3 at 6"
    slow = take(ticking, lambda ask: 1.0, seed=1)
    assert [answer.status for answer in slow.record.answers] == ["lapsed", "lapsed"]


def test_an_answer_that_comes_too_late_does_not_land_on_the_next_ask():
    taken = take(ticking, lambda ask: 0.6 if ask.key == "one" else 0.2, seed=1)
    assert [(answer.status, answer.value) for answer in taken.record.answers] == [("lapsed", None), ("answered", 0.2)]


def test_waiting_lets_the_ask_lapse():
    assert take(ticking, lambda ask: Wait(), seed=1).session.outcome.prompt == "None at 10"


def test_waiting_without_a_deadline_is_timed_out():
    assert take(three, lambda ask: Wait(), seed=1).record.status == "timed_out"


@test("duo-v1", roles=("a", "b"), timing=Timing(cost=lambda answer: 1 if answer < 0.5 else 9))
def duo(rng, clock):
    """Two roles at once, with a deadline."""
    answers = yield Round([Ask("?", HALF, role=role, key=role) for role in "ab"], until=5)
    return Outcome(f"{answers} at {clock.now}")


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        (0.1, 0.2, "{'a': 0.1, 'b': 0.2} at 1"),
        (0.9, 0.2, "{'b': 0.2} at 5"),
        (Wait(), 0.2, "{'b': 0.2} at 5"),
        (Noted(0.1), Noted(Wait()), "{'a': 0.1} at 5"),
        (Wait(), Wait(), "{} at 5"),
    ],
)
def test_in_a_round_everyone_pays_their_own_time(first, second, outcome):
    cast = {"a": lambda ask: first, "b": lambda ask: second}
    assert take(duo, cast, seed=1).session.outcome.prompt == outcome


def test_who_waits_while_another_ends_the_round_is_asked_again_before_any_deadline():
    @test("either-v1", roles=("a", "b"), timing=Timing(cost=1))
    def either(rng, clock):
        for _ in range(3):
            yield Round([Ask("?", HALF, role=role, key=role, until=50) for role in "ab"], need="any", until=50)
        return Outcome(f"at {clock.now}")

    taken = take(either, {"a": lambda ask: Wait(), "b": lambda ask: 0.5}, seed=1)
    assert taken.session.outcome.prompt == "at 3"


def test_a_long_act_goes_on_while_another_does_several_short_ones():
    @test("office-v1", roles=("a", "b"), timing=Timing(cost=int))
    def office(rng, clock):
        done = []
        while clock.now < 20:
            asks = [Ask("?", Number(low=0), role=role, key="act", until=20) for role in "ab"]
            answers = yield Round(asks, need="any", until=20)
            done += [f"{role} at {clock.now}" for role in answers]
        return Outcome(", ".join(done))

    asked = {"a": 0, "b": 0}

    def lasting(role, ticks):
        def answer(ask):
            asked[role] += 1
            return ticks

        return answer

    taken = take(office, {"a": lasting("a", 3), "b": lasting("b", 7)}, seed=1)
    acts = "a at 3, a at 6, b at 7, a at 9, a at 12, b at 14, a at 15, a at 18"
    assert taken.session.outcome.prompt == acts
    # Nobody is asked twice for one act; the last act of each was cut off by the end.
    assert asked == {"a": 7, "b": 3}


def test_an_act_under_way_is_dropped_when_something_else_is_asked():
    @test("moving-v1", roles=("a", "b"), timing=Timing(cost=int))
    def moving(rng, clock):
        for key in ("one", "two"):
            yield Round([Ask(key, Number(low=0), role=role, key=key) for role in "ab"], need="any")
        return Outcome(f"at {clock.now}")

    asked = []

    def slow(ask):
        asked.append(ask.key)
        return 9

    assert take(moving, {"a": lambda ask: 2, "b": slow}, seed=1).session.outcome.prompt == "at 4"
    assert asked == ["one", "two"]


def test_nobody_sees_anothers_answer_before_giving_their_own():
    order = []

    def member(name):
        def answer(ask):
            order.append(name)
            return 0.25

        return answer

    @test("watched-v1", roles=("a", "b"))
    def watched(rng):
        order.append("asked")
        yield Round([Ask("?", HALF, role="a"), Ask("?", HALF, role="b")])
        order.append("answered")

    take(watched, {"a": member("a"), "b": member("b")}, seed=1)
    assert order == ["asked", "a", "b", "answered"]


def test_every_answer_is_committed_before_the_next_ask_is_shown():
    journal = MemoryJournal()
    seen = []

    def subject(ask):
        answered = [event.key for event in journal.events if event.kind == "answer"]
        asked = [event.key for event in journal.events if event.kind == "ask"]
        seen.append((ask.key, answered, asked[-1]))
        return 0.5

    drive(Session(Instance(three, {}, 1)), {"subject": subject}, journal=journal)
    assert seen == [("one", [], "one"), ("two", ["one"], "two"), ("three", ["one", "two"], "three")]


def test_a_subject_that_recomputes_is_committed_once():
    class Counting(MemoryJournal):
        commits = 0

        def commit(self, events, truths):
            self.commits += 1
            super().commit(events, truths)

    journal = Counting()
    drive(Session(Instance(three, {}, 1)), {"subject": Chance()}, journal=journal)
    assert journal.commits == 1


def test_an_interrupted_session_is_resumed_without_asking_twice():
    journal = MemoryJournal()
    asked = []

    def once(ask):
        asked.append(ask.key)
        if ask.key == "two":
            raise KeyboardInterrupt
        return 0.5

    with pytest.raises(KeyboardInterrupt):
        drive(Session(Instance(three, {}, 1)), {"subject": once}, journal=journal)

    class Reminded(Listener):
        def remember(self, ask, answer):
            self.heard.append((ask.key, answer))

    cast = {"subject": Reminded()}
    session, past = recall(Instance(three, {}, 1), journal.events, cast)
    drive(session, cast, journal=journal, past=past)
    assert session.status == "finished"
    assert cast["subject"].heard == ["begin", ("one", 0.5), "well done", "bye"]
    assert asked == ["one", "two"]
    values = [event.value for event in journal.events if event.kind == "answer"]
    assert values == [0.5, 0.5, 0.5]


def test_failures_of_a_subject_keep_their_words():
    def gone(ask):
        raise SubjectCrashed("The server closed the line.", last_words="segfault")

    words = take(three, gone, seed=1).record.last_words
    assert "closed the line" in words
    assert "segfault" in words


def test_a_subject_that_wants_to_end_the_program_only_ends_its_session():
    def leaving(ask):
        raise SystemExit(0)

    taken = take(three, leaving, seed=1)
    assert taken.record.status == "crashed"
    assert "SystemExit" in taken.record.last_words


def test_a_break_is_taken_by_those_who_rest():
    @test("rested-v1")
    def rested(rng):
        yield Ask("One?", Probability(), key="one")
        yield Break("Stretch your legs.")
        yield Ask("Two?", Probability(), key="two")

    class Tired:
        rests: ClassVar[list[str]] = []

        def rest(self, prompt):
            self.rests.append(prompt)

        def __call__(self, ask):
            return 0.5

    assert take(rested, Tired(), seed=1).record.status == "finished"
    assert Tired.rests == ["Stretch your legs."]
    assert take(rested, lambda ask: 0.5, seed=1).record.status == "finished"


def test_the_same_seed_gives_the_same_session():
    coin = find_test("coin")
    first, second = (take(coin, Chance(), seed=7).record for _ in range(2))
    assert first.given() == second.given()
    assert take(coin, Chance(), seed=8).record.given() != first.given()


@pytest.mark.parametrize(
    ("cast", "words"),
    [({"first": "chance"}, "role second has no subject"), ({"first": "chance", "secnd": "chance"}, "second has no")],
)
def test_a_cast_that_leaves_a_role_out_is_told_before_anything_is_asked(cast, words):
    with pytest.raises(BadParameter, match=words):
        mensura.take("dilemma", cast)
    with pytest.raises(BadParameter, match=words):
        take(find_test("dilemma"), {role: lambda ask: 0 for role in cast}, seed=1)
