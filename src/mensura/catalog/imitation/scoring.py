"""Scores of one session: whether judges were right, how sure they were, and how the illusion held."""

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

import numpy as np

from mensura.catalog.imitation.facts import facts_of
from mensura.catalog.imitation.game import PlayedGame, read_games
from mensura.dialogue import Record, Score, Scores
from mensura.dialogue.record import POOLED
from mensura.scores.logarithmic import log_loss
from mensura.scores.quadratic import brier_loss

FLOOR = 0.01
"""No probability counts as surer than 1 %, else one certain error would make the mean infinite."""
SCORES = (
    Score("right", better=None, low=0, high=1, label="right identifications", unanswered=None),
    Score(
        "control_right", better=None, low=0, high=1, label="right identifications with people in the machine's place"
    ),
    Score("difference", better=None, low=-1, high=1, label="wrong decisions, more than in the control games"),
    Score("auc", better=None, low=0, high=1, label="area under the curve"),
    Score("survival_median", better=None, low=0, unit="seconds", label="half of the illusions last this long"),
    Score("dprime", better=None, label="d′"),
    Score("criterion", better=None, label="criterion"),
    Score("quadratic", better="less", low=0, high=1, label="quadratic loss of the judges", unanswered=None),
    Score("logarithmic", better="less", low=0, label="logarithmic loss of the judges", unanswered=None),
    Score("rule70_p", better=None, low=0, high=1, label="70 % rule: p"),
    Score("rule70_power", better=None, low=0, high=1, label="70 % rule: power if judges guess"),
    Score("worst_moment", better=None, low=0, high=1, label="belief at its lowest", unanswered=None),
    Score("mean_belief", better=None, low=0, high=1, label="mean belief", unanswered=None),
)
"""None has a good side but the judges' losses: what is good depends on whether one is judge, witness or author."""


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Return the scores of a session, with the facts of each game from which a run is estimated.

    A game that does not count (no verdict, a witness who was not there, no answer that the judge read) scores nothing
    and is counted apart; a hung jury is counted and identifies nobody.
    """
    games = read_games(record, truths)
    counting = [game for game in games if not game.void]
    values = {
        "right": _mean([identified(game) for game in counting]),
        "quadratic": _mean([quadratic(game) for game in counting]),
        "logarithmic": _mean([logarithmic(game) for game in counting]),
        "worst_moment": _mean([min(beliefs_of(game), default=nan) for game in counting]),
        "mean_belief": _mean([_mean(beliefs_of(game)) for game in counting]),
    }
    facts = [facts_of(game, record) for game in games]
    return Scores(dict(values), details={POOLED: {"games": facts, "rankings": rankings(record, truths)}})


def identified(game: PlayedGame) -> float:
    """Return 1 for a right decision, 0 for a wrong one; a hung jury is unknown."""
    return nan if game.decision in ("", "hung") else float(game.decision == game.truth)


def quadratic(game: PlayedGame) -> float:
    """Return the mean quadratic loss of the final probabilities."""
    return float(brier_loss(forecast=[one.stated for one in game.final], outcome=_outcome(game)).mean())


def logarithmic(game: PlayedGame) -> float:
    """Return the mean logarithmic loss of the final probabilities, none taken as surer than the floor."""
    stated = np.clip([one.stated for one in game.final], FLOOR, 1 - FLOOR)
    return float(log_loss(forecast=stated, outcome=_outcome(game)).mean())


def _outcome(game: PlayedGame) -> list[float]:
    return [float(game.truth == game.form.verdicts[0])] * len(game.final)


def beliefs_of(game: PlayedGame) -> list[float]:
    """Return the mean belief of all judges after each exchange; the final one where none was asked for.

    Of games with a human being alone there is none: nothing is pretended there.
    """
    if game.witness != game.form.pretender:
        return []
    by_exchange: dict[int, list[float]] = {}
    for one in game.beliefs:
        by_exchange.setdefault(one.exchange, []).append(one.value)
    means = [float(np.mean(values)) for _, values in sorted(by_exchange.items())]
    return means or [float(np.mean([one.belief for one in game.verdicts]))]


def rankings(record: Record, truths: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return how each judge of a competition ranked the programs: judge and program → place."""
    found = []
    for answer in record.answers:
        if answer.key.startswith("ranking/") and answer.status == "answered" and answer.key in truths:
            places = {truths[answer.key][token]: int(place) for token, place in answer.value.items()}
            found.append({"judge": answer.role, "places": places})
    return found


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if value == value]
    return float(np.mean(known)) if known else nan
