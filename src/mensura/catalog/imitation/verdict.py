"""Verdicts: what judges and jurors decide in the end, how sure they are, and what it rests on."""

from collections.abc import Mapping, Sequence
from typing import Any

from mensura.catalog.imitation.coding import QUESTIONS
from mensura.catalog.imitation.forms import GameForm
from mensura.catalog.imitation.interrogation import Interrogation
from mensura.catalog.imitation.room import Hearing
from mensura.dialogue import Ask, Choice, Probability, Questions, Text

VERDICT, AFTER, RANKING = "verdict", "verdict-after", "ranking"
"""The beginnings of keys: of verdicts before and after the jury spoke among themselves, and of a ranking."""
NONE, OTHER = "none", "something else"
STRATEGIES = (*QUESTIONS, OTHER)
CHOOSING, MARKING = 3, 5
"""The places, among the questions of a verdict, of the message that decided and of those with a blunder."""


def verdict_ask(role: str, held: Interrogation, *, key: str = VERDICT, words: str = "", truth: Any = None) -> Ask:
    """Ask one judge or juror for the verdict."""
    form = held.form
    options = (NONE, *held.numbers())
    questions = {
        "verdict": (form.quest, Choice(form.verdicts)),
        "probability": (f"How probable is it {form.likely}?", Probability()),
        "reason": ("Why?", Text(longest=1000, lines=3)),
        "message": ("Which message decided it? Click on it, or choose its number.", Choice(options)),
        "strategy": ("What did you find out by, most of all?", Choice(STRATEGIES)),
        "blunders": (
            "Which messages of a witness were blunders? Click on their flags, or write their numbers.",
            Text(longest=500, lines=1),
        ),
    }
    said = words or f"The time for questions is over. **{form.quest}**"
    hearing = Hearing(said, held.talks(role), CHOOSING, MARKING)
    return Ask(hearing, Questions(questions), key=f"{held.prefix}{key}", role=role, truth=truth)


def decided(verdicts: Mapping[str, Mapping[str, Any]], form: GameForm, *, share: float) -> str:
    """Return what a jury decided, or "hung" where no verdict has more than `share` of those who gave one.

    With a share of 1 all must agree.

    >>> from mensura.catalog.imitation.forms import form_of
    >>> given = {"juror1": {"verdict": "human"}, "juror2": {"verdict": "machine"}}
    >>> decided(given, form_of("jury"), share=0.5)
    'hung'
    """
    counts = {verdict: sum(one["verdict"] == verdict for one in verdicts.values()) for verdict in form.verdicts}
    for verdict, count in counts.items():
        if count and (count > share * len(verdicts) or count == len(verdicts)):
            return verdict
    return "hung"


def ranking(tokens: Sequence[str], *, judge: str, truth: Any = None) -> Ask:
    """Ask a judge of a competition to rank whom they questioned, the most human first."""
    places = tuple(str(place) for place in range(1, len(tokens) + 1))
    questions = {
        token: (f"Conversation {token}: its place, 1 for the one you take most for a human being", Choice(places))
        for token in tokens
    }
    words = "Rank the witnesses whom you took for the machine, or were less sure of, one for each conversation."
    return Ask(words, Questions(questions), key=f"{RANKING}/{judge}", role=judge, truth=truth)
