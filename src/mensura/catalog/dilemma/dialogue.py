"""The dilemma test: two players cooperate or defect, again and again."""

from collections.abc import Generator, Sequence
from typing import Annotated, Any

import numpy as np

from mensura.catalog.dilemma.payoffs import COOPERATE, DEFECT, MOVES, Payoffs, chance_levels
from mensura.catalog.dilemma.scoring import ROLES, score, scores
from mensura.catalog.dilemma.settings import SETTINGS
from mensura.catalog.dilemma.subjects import SUBJECTS
from mensura.dialogue import Ask, Between, Choice, Outcome, Round, Sees, TableView, test

MOVE = Choice(MOVES)
SHOWN = 5
"""Rounds that the table shows; what came earlier is for the players to remember."""


def see(prompt: Any) -> np.ndarray[Any, np.dtype[np.int8]]:
    """Return what an agent sees: the last move of its own and of the other, 0 none yet, 1 cooperate, 2 defect."""
    rows = prompt[1].rows
    return np.array([1 + MOVES.index(move) for move in rows[-1][1:3]] if rows else (0, 0), dtype=np.int8)


def refuse(*, temptation: float, reward: float, punishment: float, sucker: float, **others: Any) -> None:
    """Refuse payoffs that make no dilemma."""
    Payoffs(temptation, reward, punishment, sucker)


@test(
    "dilemma-v1",
    score=score,
    scores=scores,
    scoring="2",
    roles=ROLES,
    subjects=SUBJECTS,
    settings=SETTINGS,
    chance=chance_levels,
    sees=Sees((2,), 0, 2, np.int8, see),
    acts=MOVE,
    refuse=refuse,
)
def dilemma(
    rng: np.random.Generator,
    *,
    rounds: Annotated[int, "How many rounds are played, 1 or more; the players are not told.", Between(1)] = 20,
    noise: Annotated[float, "The chance that a move comes out as the other one, from 0 to 0.5.", Between(0, 0.5)] = 0.0,
    temptation: Annotated[
        float,
        "What a player earns who defects while the other cooperates: more than `reward`.",
    ] = 5.0,
    reward: Annotated[
        float,
        "What each earns if both cooperate: more than `punishment`, and twice as much is more than `temptation` and "
        "`sucker` together.",
    ] = 3.0,
    punishment: Annotated[float, "What each earns if both defect: more than `sucker`."] = 1.0,
    sucker: Annotated[
        float,
        "What a player earns who cooperates while the other defects: the least of the four.",
    ] = 0.0,
) -> Generator[Ask | Round, dict[str, str], Outcome]:
    """Cooperate or defect, again and again, with a partner who does the same."""
    payoffs = Payoffs(temptation, reward, punishment, sucker)
    for role in ROLES:
        yield Ask(_rules(payoffs, noise), role=role)
    history: list[tuple[str, str]] = []
    earned: dict[str, float | None] = dict.fromkeys(ROLES)
    for number in range(rounds):
        asks = [
            Ask(_view(history, side, number, payoffs), MOVE, key=f"round{number}", role=role, reward=earned[role])
            for side, role in enumerate(ROLES)
        ]
        answers = yield Round(asks)
        moves = zip(ROLES, rng.random(2) < noise, strict=True)
        if len(answers) < 2:
            # Without both moves the round is void: nobody earns, and nothing is to be remembered.
            earned = dict.fromkeys(ROLES)
            continue
        first, second = (_turn(answers[role]) if turned else answers[role] for role, turned in moves)
        history.append((first, second))
        earned = {"first": payoffs.earned(first, second), "second": payoffs.earned(second, first)}
    known = {role: amount for role, amount in earned.items() if amount is not None}
    return Outcome("The game is over.", reward=known or None)


def _turn(move: str) -> str:
    return DEFECT if move == COOPERATE else COOPERATE


def _rules(payoffs: Payoffs, noise: float) -> str:
    both, alone = f"{payoffs.reward:g} points each", f"{payoffs.temptation:g} and {payoffs.sucker:g} points"
    mistakes = f" A move comes out as the other one with chance {noise:g}." if noise else ""
    return (
        "You and a partner each cooperate or defect, again and again, without seeing the other's move first. "
        f"If both cooperate you earn {both}; if both defect, {payoffs.punishment:g} each; "
        f"if one defects, the defector and the cooperator earn {alone}.{mistakes}"
    )


def _view(history: Sequence[tuple[str, str]], side: int, number: int, payoffs: Payoffs) -> list[str | TableView]:
    """Show a player the last rounds from its own side."""
    rows = []
    for i in range(max(0, len(history) - SHOWN), len(history)):
        mine, theirs = history[i][side], history[i][1 - side]
        rows.append((i + 1, mine, theirs, payoffs.earned(mine, theirs), payoffs.earned(theirs, mine)))
    return [f"Round {number + 1}. Do you cooperate or defect?", TableView(COLUMNS, rows)]


COLUMNS = ("round", "you", "partner", "you earned", "partner earned")
