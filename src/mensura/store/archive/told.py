"""Told: each answer of a run with what may be said of it to others: its words, its scores and its truth once opened."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Address, Items, Record, Scores
from mensura.dialogue.canonical import canonical
from mensura.dialogue.prompts.stored import stored_text
from mensura.dialogue.record import Answer
from mensura.store.head import RunHead, SessionHead
from mensura.store.store import Store

SEALED = "Truths and scores are left out: someone can still be asked, so they stay sealed."


@dataclass(frozen=True)
class ToldAnswer:
    """One ask of a session and what became of it."""

    session: SessionHead
    record: Record
    answer: Answer
    prompt: str
    space: Mapping[str, Any]
    scores: Mapping[str, float]
    """Of this answer, and with the last one of a session those of the whole; empty while they are sealed."""
    truth: Any
    """None where there is none, or while it is sealed."""
    excluded: str
    """Why the session does not count; "" where it does."""
    asked_at: float | None
    """When it was asked, in seconds since 1970."""

    @property
    def notes(self) -> Mapping[str, Any]:
        """What the subject noted beside its answer: of a model its messages, reply, tokens."""
        return self.answer.notes or {}

    @property
    def name(self) -> str:
        """What the ask is called: its key, with the role where that is not the only one."""
        own = self.answer.role in ("", SUBJECT)
        return self.answer.key if own else f"{self.answer.role}/{self.answer.key}"

    @property
    def address(self) -> Address:
        """Which session of the run it belongs to."""
        return self.session.address

    @property
    def said(self) -> str:
        """The answer in words; "" where there was none."""
        value = self.answer.value
        return "" if value is None else value if isinstance(value, str) else canonical(value)


def told_answers(store: Store, head: RunHead) -> Iterator[ToldAnswer]:
    """Return every answer of a run, session by session; truths and scores only where the run is over and open."""
    sessions = {session.id: session for session in store.sessions.of(head.id)}
    scores = store.results.latest(head.id) if head.opened else []
    by_session = {result.session: result.scores for result in scores}
    excluded = store.exclusions.excluded(head.id)
    for record, truths in store.records.with_truths(head.id):
        times = {event.number: event.time for event in store.events.of_kinds(record.session, ("ask",))}
        why = excluded.get(record.session)
        for answer in record.answers:
            content = record.content(answer.number) or {}
            last = answer is record.answers[-1]
            yield ToldAnswer(
                sessions[record.session],
                record,
                answer,
                stored_text(content.get("prompt", "")),
                content.get("space") or {},
                _scores_of(by_session.get(record.session), answer.key, last=last),
                truths.get(answer.key) if head.opened else None,
                "" if why is None else why.reason,
                times.get(answer.number),
            )


def _scores_of(scores: Scores | None, key: str, *, last: bool) -> dict[str, float]:
    found = {}
    for name, value in (scores.values if scores is not None else {}).items():
        if isinstance(value, Items):
            known = [float(one) for one, of in zip(value.values, value.keys, strict=False) if of == key]
        else:
            known = [float(value)] if last else []
        if known and np.isfinite(known[-1]):
            found[name] = known[-1]
    return found
