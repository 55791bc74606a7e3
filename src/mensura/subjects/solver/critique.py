"""Critique: a first answer, what is wrong with it in the subject's own words, and the answer after that."""

from dataclasses import replace

from mensura.dialogue import Ask, Refused, Wait
from mensura.subjects.group import prompts
from mensura.subjects.outside.protocol import written
from mensura.subjects.solver.chain_of_thought import REASONING
from mensura.subjects.solver.self_consistency import valid
from mensura.subjects.solver.solver import Steps

CRITICISE = (
    "Do not answer the question yet. Say what is wrong with this answer, or why it is right: check facts, steps and "
    "what was overlooked."
)
REVISE = "Give the answer that you hold right now; it may be the same."


def critique(ask: Ask, *, rounds: int = 1) -> Steps:
    """Ask for an answer, let the subject criticise it, and ask again; an invalid first answer is returned as it is."""
    assert ask.space is not None
    answer = yield ask
    for _ in range(rounds):
        if not valid(answer, ask.space):
            return answer
        proposed = f"An answer that was proposed: {answer if isinstance(answer, str) else written(answer)}"
        said = yield replace(ask, prompt=[*prompts(ask), proposed, CRITICISE], space=REASONING)
        if isinstance(said, (Refused, Wait)):
            return answer
        answer = yield replace(ask, prompt=[*prompts(ask), proposed, f"What was said of it: {said}", REVISE])
    return answer
