"""Showing a ledger: its questions and their history as data for pages and programs."""

from dataclasses import asdict
from typing import Any

import numpy as np

from mensura.track_record.files.strict import strict
from mensura.track_record.ledger.ledger import Ledger
from mensura.track_record.ledger.life import LedgerEntry, Life


def questions_told(ledger: Ledger) -> list[dict[str, Any]]:
    """List the questions of a ledger with their states."""
    return [_told(life) for life in ledger.questions()]


def question_told(ledger: Ledger, name: str) -> dict[str, Any]:
    """Tell all that happened to one question: who, when and why, and the scores that stand."""
    life = ledger.question(name)
    scores = [strict(asdict(score)) for score in ledger.scores(name)]
    history = [_event(life, event) for event in life.history]
    return _told(life) | {"history": history, "head": life.history[-1].link, "scores": scores}


def moment(days: float | None) -> str:
    """Write days since 1970 as a date and time in UTC.

    >>> moment(20000.5)
    '2024-10-04 12:00'
    """
    if days is None:
        return ""
    return str(np.datetime64(int(days * 1440 + 1e-3), "m")).replace("T", " ").removesuffix(" 00:00")


def _told(life: Life) -> dict[str, Any]:
    question = life.question
    return {
        "name": question.name,
        "state": life.state,
        "text": question.text,
        "options": list(question.options),
        "edges": list(question.edges),
        "deadline": moment(question.deadline),
        "resolving": question.resolving,
        "area": question.area,
        "topic": question.topic,
        "requester": life.requester,
        "forecasts": len(life.forecasts),
        "outcome": life.outcome,
        "resolved": moment(life.resolved),
    }


def _event(life: Life, event: LedgerEntry) -> dict[str, Any]:
    return {
        "kind": event.kind,
        "who": event.who,
        "at": moment(event.at),
        "entered": moment(event.entered),
        "claimed": event.claimed,
        "why": event.why,
        "words": _words(life, event),
        "content": dict(event.content),
    }


def _words(life: Life, event: LedgerEntry) -> str:
    if event.kind == "forecast":
        shares = event.content["probabilities"]
        names = life.question.options or [
            f"{a:g} to {b:g}" for a, b in zip(life.question.edges, life.question.edges[1:], strict=False)
        ]
        return ", ".join(f"{name} {share:.1%}" for name, share in zip(names, shares, strict=True))
    return f"as {event.content['outcome']}" if event.kind == "resolved" else ""
