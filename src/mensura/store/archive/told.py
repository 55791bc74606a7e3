"""Told: each answer of a run with what may be said of it to others: its words, its scores and its truth once opened."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Address, Items, Record, Scores
from mensura.dialogue.canonical import canonical
from mensura.dialogue.prompts.stored import stored_text
from mensura.dialogue.record import Answer
from mensura.store.head import RunHead, SessionHead
from mensura.store.store import Store

SEALED = (
    "Truths and scores are left out: they stay sealed while someone can still be asked. "
    "`mensura score RUN` opens a run that is over."
)


@dataclass(frozen=True)
class ToldAnswer:
    """One ask of a session and what became of it."""

    session: SessionHead
    record: Record
    answer: Answer
    prompt: str
    space: Mapping[str, Any]
    item_scores: Mapping[str, float]
    """Scores of this answer; empty while they are sealed."""
    session_scores: Mapping[str, float]
    """With the last answer of a session, the scores of the whole session; empty while they are sealed."""
    truth: Any
    """None where there is none, or while it is sealed."""
    excluded: str
    """Why the session does not count; "" where it does."""
    asked_at: float | None
    """When it was asked, in seconds since 1970."""

    @property
    def scores(self) -> Mapping[str, float]:
        """Every score that is shown with this answer."""
        return {**self.item_scores, **self.session_scores}

    @property
    def notes(self) -> Mapping[str, Any]:
        """Return the notes of the subject on its answer: of a model its messages, reply, tokens."""
        return self.answer.notes or {}

    @property
    def name(self) -> str:
        """Return the name of the ask: its key, with the role where that is not the only one."""
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
        found = by_session.get(record.session)
        of_items = item_scores(found, record.answers)
        for place, answer in enumerate(record.answers):
            content = record.content(answer.number) or {}
            last = place == len(record.answers) - 1
            yield ToldAnswer(
                sessions[record.session],
                record,
                answer,
                stored_text(content.get("prompt", "")),
                content.get("space") or {},
                of_items[place],
                _session_scores(found) if last else {},
                truths.get(answer.key) if head.opened else None,
                "" if why is None else why.reason,
                times.get(answer.number),
            )


def item_scores(scores: Scores | None, answers: Sequence[Answer]) -> list[dict[str, float]]:
    """Return the scores of each answer by name.

    A score belongs to an answer by its key. Where a key was asked several times, scores and answers are matched in
    order; where their numbers differ, only a single score is matched, to the last answer of a single role.
    """
    found: list[dict[str, float]] = [{} for _ in answers]
    places = defaultdict(list)
    for place, answer in enumerate(answers):
        places[answer.key].append(place)
    for name, value in (scores.values if scores is not None else {}).items():
        if not isinstance(value, Items) or value.values.ndim != 1:
            continue
        by_key = defaultdict(list)
        for number, key in zip(value.values.tolist(), value.keys, strict=False):
            by_key[key].append(number)
        for key, numbers in by_key.items():
            asked = places.get(key, [])
            if len(numbers) == 1 and len({answers[place].role for place in asked}) == 1:
                asked = asked[-1:]
            if len(asked) == len(numbers):
                for place, number in zip(asked, numbers, strict=True):
                    if np.isfinite(number):
                        found[place][name] = number
    return found


def _session_scores(scores: Scores | None) -> dict[str, float]:
    numbers = {} if scores is None else {k: v for k, v in scores.values.items() if not isinstance(v, Items)}
    return {name: float(number) for name, number in numbers.items() if np.isfinite(number)}
