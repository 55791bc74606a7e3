"""Facts of a game: what is kept of it beside its scores, as JSON, for estimates and exhibits over many games."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from mensura.catalog.imitation.coding import code_answer, code_question, direct_share, is_question
from mensura.catalog.imitation.game import PlayedGame
from mensura.dialogue import Record

SURE = 0.1
"""At this belief or below a judge is sure that the witness is not what it plays."""
PASTED = 25.0
"""Letters a second that nobody types; only times of people are known."""
REVEALING = re.compile(
    r"\b(?:i am|i'm|as) (?:really |actually |just |only )?(?:an? )?"
    r"(?:ai\b|artificial|language model|chat ?bot|bot\b|robot|machine|computer|program\b|man\b|woman\b|person\b|human)",
    re.IGNORECASE,
)
"""Words with which players say what they are; kept as data, and flagged."""


def facts_of(game: PlayedGame, record: Record) -> dict[str, Any]:
    """Return the facts of a game, without a word that was said."""
    answers = [one for one in game.messages if not one.judge]
    own = [one for one in answers if one.role == game.witness]
    lasted = lasting(game)
    exchanges = game.exchanges
    return {
        "form": game.form.name,
        "session": record.session.rpartition("/")[2],
        "date": "" if record.began is None else f"{datetime.fromtimestamp(record.began, UTC):%Y-%m-%d}",
        "prefix": game.prefix,
        "truth": game.truth,
        "side": game.side,
        "witness": game.witness,
        "system": str(record.cast.get(game.witness, "")),
        "pretends": game.witness == game.form.pretender,
        "void": game.void,
        "decision": game.decision,
        "before": game.decision if not game.after else _before(game),
        "deliberated": bool(game.after),
        "verdicts": [_verdict(game, one, record) for one in game.final],
        "beliefs": curve(game),
        "lasted": None if lasted is None else lasted[0],
        "ended": None if lasted is None else lasted[1],
        "planted": sorted({one.exchange for one in own if one.planted}),
        "questions": dict(Counter(code_question(asked).kind for asked, _ in exchanges)),
        "kinds": dict(
            Counter(code_answer(reply, question=asked).kind for asked, reply in exchanges if is_question(asked))
        ),
        "direct": _known(direct_share(exchanges)),
        "messages": len(own),
        "silent": sorted({role for role in game.seats.values() if not any(one.role == role for one in answers)}),
        "unreleased": sum(one.released is None for one in answers),
        "late": sum(_late(one) for one in answers) if record.parameters["delays"] else 0,
        "revealing": sorted({one.role for one in answers if REVEALING.search(one.text)}),
        "pasted": sum(bool(one.seconds) and len(one.text) / (one.seconds or 1) > PASTED for one in answers),
        "seconds": game.ended - game.began,
        "book": _book(own),
        "people": sorted({str(one.notes["recorded"]) for one in answers if "recorded" in one.notes}),
    }


def _book(messages: Sequence[Any]) -> dict[str, int] | None:
    notes = [one.notes["book"] for one in messages if "book" in one.notes]
    if not notes:
        return None
    uncovered = sum(not each["covered"] for each in notes)
    return {"entries": notes[0]["entries"], "bits": notes[0]["bits"], "asked": len(notes), "uncovered": uncovered}


def curve(game: PlayedGame) -> list[list[float]]:
    """Return the belief after each exchange, as [exchange, seconds, mean over the judges]."""
    found: dict[int, list[tuple[int, float]]] = {}
    for one in game.beliefs:
        found.setdefault(one.exchange, []).append((one.tick - game.began, one.value))
    return [
        [exchange, max(tick for tick, _ in each), round(float(np.mean([value for _, value in each])), 6)]
        for exchange, each in sorted(found.items())
    ]


def lasting(game: PlayedGame) -> tuple[int, bool] | None:
    """Return after how many seconds the judges were sure, and whether they were; None where nothing is pretended.

    Who was never sure was watched to the end of the game. A final verdict counts as the last moment.
    """
    if game.void or game.witness != game.form.pretender:
        return None
    points = [(int(tick), value) for _, tick, value in curve(game)]
    points.append((game.ended - game.began, float(np.mean([one.belief for one in game.verdicts]))))
    for tick, value in points:
        if value <= SURE:
            return max(tick, 1), True
    return max(points[-1][0], 1), False


def _before(game: PlayedGame) -> str:
    from mensura.catalog.imitation.game import decision_of

    return decision_of(game.verdicts, game)


def _verdict(game: PlayedGame, one: Any, record: Record) -> dict[str, Any]:
    return {
        "role": one.role,
        "judge": str(record.cast.get(one.role, "")),
        "verdict": one.verdict,
        "right": one.right,
        "stated": one.stated,
        "belief": one.belief,
        "passed": game.passed(one),
        "strategy": one.strategy,
        "message": one.message,
        "blunders": list(one.blunders),
    }


def _late(message: Any) -> bool:
    """Return whether a message came later than it was to be released, so that its own time shows."""
    return message.released is not None and message.released <= message.sent + 1


def _known(value: float) -> float | None:
    return value if value == value else None
