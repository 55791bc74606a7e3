"""What another program administered is stored like any run: answers, scores, failures; lost ones come again."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from mensura.dialogue import Administered, Bank, Choice, Item, Items, Noted, Refused, Scores, Test, Text
from mensura.errors import BadParameter, SubjectLost, SubjectTimedOut
from mensura.running.plan import Plan, Selection
from mensura.running.run import RunOptions, begin_run, resume_run, run
from mensura.store import open_store
from mensura.store.sealed.proof import audit_run
from mensura.subjects.model.cost.spending import Spending

CAPITAL = Item("Capital of France?", Choice(("Rome", "Paris")), "Paris", id="france")
WORD = Item("Say a word.", Text(), "word", id="word")
BANK = Bank([CAPITAL, WORD], name="foreign")


def score(record, truths):
    """Take the verdict of the other program."""
    keys = [answer.key for answer in record.answers]
    return Scores({"verdict": Items([truths.get("verdict", float("nan"))] * len(keys), keys)})


def nobody(rng):
    """Refuse to be taken here."""
    raise BadParameter("Only elsewhere.")
    yield


@dataclass
class Foreign:
    """A program that gives back replies by item, and notes what it was asked to do."""

    replies: dict[str, Any]
    calls: list[Any] = field(default_factory=list)
    about: ClassVar[dict[str, str]] = {"program": "foreign", "version": "1"}

    def __call__(self, subject, *, items, epochs):
        """Give the reply of each item at each epoch."""
        self.calls.append((subject.name, [item.id for item in items], list(epochs)))
        for epoch in epochs:
            for item in items:
                if (reply := self.replies.get(item.id)) is not None:
                    yield Administered(item.hash, epoch, reply, {item.key: item.answer, "verdict": 1.0}, 1e9, 2.5)


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "lab.db") as opened:
        yield opened


def foreign(monkeypatch, **replies):
    program = Foreign(replies)
    test = Test("foreign-v1", nobody, score=score, bank=BANK, administer=program)
    for module in ("run", "plan"):
        monkeypatch.setattr(f"mensura.running.{module}.find_test", lambda name: test)
    return test, program


def test_answers_times_notes_and_verdicts_are_stored_and_proved(store, monkeypatch):
    test, program = foreign(monkeypatch, france=Noted("Paris", {"model": "m", "tokens_in": 3}), word="word")
    result = run(test, "llm:m@http://nowhere.invalid/v1", store=store, sessions=2, seed=1)
    assert program.calls == [("llm:m@http://nowhere.invalid/v1", ["france", "word"], [0, 1])]
    assert result.counts["finished"] == 4
    assert result.scores["verdict"].value == 1.0
    assert result.head.details["elsewhere"] == {"program": "foreign", "version": "1"}
    record = next(record for record in store.records.of(result.head.id) if record.given() == {"france": "Paris"})
    assert record.answers[0].notes == {"model": "m", "tokens_in": 3}
    assert record.answers[0].seconds == 2.5
    assert store.events.of(record.session)[0].time == 1e9
    audit_run(store, result.head.id).require()


def test_what_is_no_choice_is_invalid_and_a_refusal_a_refusal(store, monkeypatch):
    test, _ = foreign(monkeypatch, france="Berlin", word=Noted(Refused("No."), {"model": "m"}))
    result = run(test, "llm:m@http://nowhere.invalid/v1", store=store, seed=1)
    assert {name: count for name, count in result.counts.items() if count} == {"finished": 1, "invalid": 1}
    assert result.outcomes["refused"] == 1
    assert result.outcomes["invalid"] == 1


def test_what_was_lost_is_asked_again_and_nothing_else(store, monkeypatch):
    lost = SubjectLost("The server was out.")
    test, program = foreign(monkeypatch, france=lost, word=SubjectTimedOut("Too slow."))
    result = run(test, "llm:m@http://nowhere.invalid/v1", store=store, seed=1)
    assert {name: count for name, count in result.counts.items() if count} == {"timed_out": 1, "lost": 1}
    assert any("The server was out." in words for words in result.last_words)
    program.replies["france"] = "Paris"
    again = resume_run(result.head.id, store=store)
    assert program.calls[1][1:] == (["france"], [0])
    assert {name: count for name, count in again.counts.items() if count} == {"timed_out": 1, "finished": 1}


def test_a_program_that_stops_or_leaves_something_out_loses_those_sessions(store, monkeypatch):
    test, _ = foreign(monkeypatch, word="word")
    result = run(test, "llm:m@http://nowhere.invalid/v1", store=store, seed=1)
    assert any("recorded nothing of this item" in words for words in result.last_words)

    def stop(subject, *, items, epochs):
        raise SubjectLost("It stopped.", last_words="out of memory")
        yield

    monkeypatch.setattr(Foreign, "__call__", lambda self, *words, **more: stop(*words, **more))
    result = run(test, "llm:m@http://nowhere.invalid/v1", store=store, seed=1)
    assert result.counts["lost"] == 2
    assert any("It stopped. out of memory" in words for words in result.last_words)


@pytest.mark.parametrize("spending", [Spending(most=1.0), Spending(cache="answers"), Spending(batch=60.0)])
def test_what_another_program_does_not_keep_to_is_refused(store, monkeypatch, spending):
    test, program = foreign(monkeypatch)
    name = 'llm:m@http://nowhere.invalid/v1#price_in=1#price_out=1#settings={"max_tokens":5}'
    with pytest.raises(BadParameter, match="which pays by itself"):
        run(test, name, store=store, options=RunOptions(spending=spending))
    assert not program.calls
    assert not store.runs.all()


def test_people_are_not_asked_by_another_program(store, monkeypatch):
    test, _ = foreign(monkeypatch)
    plan = Plan(test, Plan.of(test, "human").cast, {})
    with pytest.raises(BadParameter, match="administered by another program, to language models only"):
        begin_run(plan, store=store, seed=None, options=RunOptions())
    with pytest.raises(BadParameter, match="administered by another program"):
        run(test, "human", store=store, options=RunOptions(selection=Selection(together=True)))
