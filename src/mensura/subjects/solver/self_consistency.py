"""Self-consistency: the same ask to several copies of a subject, and what they agree on."""

from typing import Any

import numpy as np

from mensura.dialogue import Ask, Noted, Probability, Refused, Space, Text, Wait
from mensura.dialogue.canonical import canonical
from mensura.dialogue.spaces.text import folded
from mensura.errors import Invalid
from mensura.subjects.solver.solver import Steps
from mensura.subjects.team import middle, vote


def self_consistency(ask: Ask, *, rng: np.random.Generator, samples: int = 5) -> Steps:
    """Ask `samples` copies of the subject, none of which knows of the others, and return what they agree on.

    Refusals and invalid answers are left out. Where nothing is left, the first reply counts.
    """
    assert ask.space is not None
    replies = yield [ask] * samples
    answers = [answer for reply in replies for answer in valid(reply, ask.space)]
    if not answers:
        return replies[0]
    return Noted(agreed(answers, space=ask.space, rng=rng), {"valid": f"{len(answers)} of {samples}"})


def agreed(answers: list[Any], *, space: Space, rng: np.random.Generator) -> Any:
    """Return the mean of probabilities and shares, the median of other numbers, and else what most say.

    Texts are alike that differ only in case and spaces; ties fall by chance.

    >>> from mensura.dialogue import Choice, Number
    >>> rng = np.random.default_rng(1)
    >>> agreed([3, 5, 90], space=Number(), rng=rng), agreed(["a", "b", "b"], space=Choice(("a", "b")), rng=rng)
    (5.0, 'b')
    """
    if space.pools:
        shares = space.whole is not None or isinstance(space, Probability)
        return middle(answers, space=space, how=np.mean if shares else np.median)
    return vote(answers, rng=rng, form=folded if isinstance(space, Text) else canonical)


def valid(reply: Any, space: Space) -> list[Any]:
    """Return the answer of a reply in a list; an empty one where it is a refusal or invalid."""
    if isinstance(reply, (Refused, Wait)):
        return []
    try:
        return [space.check(reply)]
    except Invalid:
        return []
