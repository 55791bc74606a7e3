"""Answers: what every subject said to one item, with what was said both ways and what it cost."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.dialogue import tally_words
from mensura.running.items.observed import Sighting
from mensura.running.items.table import ItemTable
from mensura.stats.wording import figure
from mensura.web.lab.sessions.transcript import Line, line_of
from mensura.web.lab.words import value_words

if TYPE_CHECKING:
    from mensura.store import Store

MOST = 60
"""Answers that are shown at once; the table and the transcripts have all."""
TOLD = ("messages", "reasoning", "reply", "tools", "steps")
"""Notes that are shown as a conversation; the others are listed below it by name."""


@dataclass(frozen=True)
class SaidOfItem:
    """One try at an answer, as its subject noted it."""

    line: Line
    messages: Sequence[tuple[str, str]]
    """The messages before it, by speaker."""
    reasoning: str
    tools: Sequence[Mapping[str, Any]]
    reply: str
    notes: Mapping[str, Any]


@dataclass(frozen=True)
class ItemAnswer:
    """The answer of one subject, or one person, to an item."""

    session: str
    run: str
    label: str
    outcome: str
    verdict: str
    """right, wrong, a number, what became of it, or "answered" where that is all that may be told."""
    excluded: str
    value: Any
    tokens: float | None
    cost: float | None
    seconds: float | None
    cached: bool
    said: Sequence[SaidOfItem]

    @property
    def address(self) -> str:
        """Return the place of its session in its run."""
        return self.session.rpartition("/")[2]

    @property
    def reply(self) -> str:
        """Its own words: the last reply that it noted, else its answer."""
        return next((one.reply for one in reversed(self.said) if one.reply), value_words(self.value))


def answers_of(table: ItemTable, row: int, *, store: "Store") -> list[ItemAnswer]:
    """Return the answers to an item, subject by subject; people are numbered and nothing else is known of them."""
    places = [(column, int(place)) for column, rows in enumerate(table.places) for place in np.flatnonzero(rows == row)]
    met = [(column, place, table.runs[column].sightings[place]) for column, place in islice(places, MOST)]
    logs = store.exchanges.logs([(one.session, one.key) for _, _, one in met])
    return _numbered([_answer(table, column, place, one, logs[one.session, one.key]) for column, place, one in met])


def _numbered(answers: Sequence[ItemAnswer]) -> list[ItemAnswer]:
    """Tell the epochs of a subject apart that was asked several times."""
    many, seen = Counter(one.label for one in answers), Counter[str]()
    made = []
    for one in answers:
        seen[one.label] += 1
        epoch = f", epoch {seen[one.label]}" if many[one.label] > 1 else ""
        made.append(replace(one, label=f"{one.label}{epoch}"))
    return made


def _answer(table: ItemTable, column: int, place: int, one: Sighting, log: Sequence[Any]) -> ItemAnswer:
    run = table.runs[column]
    lines = [line_of(event) for event in log]
    value = next((line.value for line in reversed(lines) if line.kind in ("answer", "revise")), None)
    who = table.labels[column]
    if run.circumstances.people:
        who = f"{who}, person {int(run.subjects[place]) + 1}"
    return ItemAnswer(
        session=one.session,
        run=run.head.id,
        label=who,
        outcome=one.outcome,
        verdict=_verdict(table, column, place, one.outcome),
        excluded=one.excluded,
        value=value,
        tokens=_known(run.tokens[place]),
        cost=_known(run.cost[place]),
        seconds=_known(run.seconds[place]),
        cached=bool(run.cached[place]),
        said=[_said(line) for line in lines if line.kind not in ("ask", "tell")],
    )


def _known(number: float) -> float | None:
    return float(number) if number == number else None


def _verdict(table: ItemTable, column: int, place: int, outcome: str) -> str:
    if outcome != "answered":
        return tally_words({outcome: 1}).removeprefix("1 ")
    found = table.runs[column].values.get(table.score.name)
    hidden = len(table.withheld) and table.withheld[table.places[column][place]]
    if found is None or hidden or np.isnan(found[place]):
        return "answered"
    if table.score.proportion:
        return "right" if found[place] == 1 else "wrong"
    return figure(float(found[place]))


def _said(line: Line) -> SaidOfItem:
    notes = line.notes
    listed = [part for part in _list(notes.get("messages")) if isinstance(part, Mapping)]
    messages = [(str(part.get("role", "")), _text(part.get("content"))) for part in listed]
    tools = [part for part in _list(notes.get("tools")) if isinstance(part, Mapping)]
    rest = {name: note for name, note in notes.items() if name not in TOLD}
    if notes.get("steps"):
        rest["steps"] = notes["steps"]
    return SaidOfItem(line, messages, _text(notes.get("reasoning")), tools, _text(notes.get("reply")), rest)


def _list(value: Any) -> Sequence[Any]:
    """Read a list that a subject noted; notes are a stranger's and may be anything."""
    return value if isinstance(value, list) else ()


def _text(value: Any) -> str:
    """Read what was said: a text, or parts of which some are texts."""
    if isinstance(value, list):
        return "\n".join(_text(part.get("text", part)) if isinstance(part, Mapping) else _text(part) for part in value)
    return "" if value is None else value_words(value)
