"""Keyword judge: asks a few questions of stated kinds, and takes evasion for a sign of a machine. No person."""

from math import exp
from typing import Any

import numpy as np

from mensura.catalog.imitation.coding import is_direct
from mensura.catalog.imitation.forms import HUMAN, MACHINE
from mensura.catalog.imitation.interrogation import BOTH
from mensura.catalog.imitation.room import Hearing, QuestionRoom, WitnessTalk
from mensura.catalog.imitation.verdict import NONE
from mensura.dialogue import Ask, Choice, Probability, Questions, Wait
from mensura.subjects.subject import Unlearning

ASKED = (
    "Hello. How was your day?",
    "Would a chair fit into a shoebox?",
    "How many legs do two cats have together?",
    "Which tastes better, dark chocolate or milk chocolate?",
    "What did you have for breakfast today?",
    "Are you a machine?",
    "My trophy does not fit into my suitcase because it is too big. What is too big?",
    "What is the capital of France?",
    "Where did you grow up?",
    "What would happen if I dropped a glass on the floor?",
)
WEIGHT = 0.9
"""How much one answer moves the odds, on the scale of logarithms."""


class KeywordJudge(Unlearning):
    """Asks so many questions, counts direct answers, and decides by their difference.

    Parameters
    ----------
    questions
        How many it asks.
    """

    recomputes = True

    def __init__(self, *, questions: int = 5) -> None:
        self.questions = questions

    def begin(self, rng: np.random.Generator) -> None:
        """Draw which questions are asked, in which order."""
        self.rng = rng
        order = rng.permutation(len(ASKED))
        self.asks = [ASKED[place] for place in order]
        self.asked = 0

    def __call__(self, ask: Ask) -> Any:
        prompt, space = ask.prompt, ask.space
        if isinstance(prompt, QuestionRoom):
            return self._question(prompt, isinstance(space, Questions))
        if isinstance(prompt, Hearing) and isinstance(space, Probability):
            return chance_of_first(prompt.talks)
        if isinstance(prompt, Hearing) and isinstance(space, Questions):
            return self._verdict(prompt, space)
        return space.draw(self.rng)  # type: ignore[union-attr]

    def _question(self, room: QuestionRoom, addressed: bool) -> Any:
        if room.awaited:
            return Wait()
        if not any(talk.lines for talk in room.talks) and not room.note:
            self.asked = 0
        more = self.asked < min(self.questions, len(self.asks))
        text = self.asks[self.asked] if more else ""
        self.asked += more
        return {"to": BOTH, "text": text} if addressed else text

    def _verdict(self, hearing: Hearing, space: Questions) -> dict[str, Any]:
        options = space.questions["verdict"][1]
        assert isinstance(options, Choice)
        chance = chance_of_first(hearing.talks)
        even = bool(self.rng.random() < 0.5)
        first = chance > 0.5 or (chance == 0.5 and even)
        verdict = options.options[0 if first else 1]
        evasions = [one for talk in hearing.talks for one in _answers(talk) if not one[1]]
        return {
            "verdict": verdict if len(hearing.talks) > 1 else (HUMAN if first else MACHINE),
            "probability": chance,
            "reason": f"{len(evasions)} answers were not direct, by keywords.",
            "message": evasions[0][0] if evasions else NONE,
            "strategy": "common sense",
            "blunders": "",
        }


def chance_of_first(talks: tuple[WitnessTalk, ...]) -> float:
    """Return the probability that the first witness is human: by its direct answers, less those of the other."""
    signs = [sum(1 if direct else -1 for _, direct in _answers(talk)) for talk in talks]
    difference = signs[0] - signs[1] if len(signs) > 1 else signs[0]
    return round(1 / (1 + exp(-WEIGHT * difference)), 6)


def _answers(talk: WitnessTalk) -> list[tuple[str, bool]]:
    """List the answers of a witness by number, with whether each is direct; what answers nothing that was asked too."""
    found, question = [], ""
    for line in talk.lines:
        if line.name.startswith("Witness"):
            found.append((line.id, is_direct(line.text, question=question)))
        else:
            question = line.text
    return found
