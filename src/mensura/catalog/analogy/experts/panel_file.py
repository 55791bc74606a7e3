"""The panel's file: proposals as artefacts, what experts rate, and who they are."""

from collections.abc import Mapping, Sequence
from typing import Any

from mensura.catalog.analogy.experts.proposing import ARMS, AnalogyProposal
from mensura.catalog.analogy.experts.sizing import LEAST
from mensura.errors import BadParameter

RUBRIC: Mapping[str, Any] = {
    "instructions": (
        "You will read pairs of documents: a target, and a source that somebody or something proposed as an analogy to "
        "it, with what was found to correspond. You are not told who proposed it. Take the time that you need: what "
        "you see in it matters, not how well it is written."
    ),
    "layout": "page",
    "comments": "What did this suggest to you: an idea, a question, something to try? You may leave this empty.",
    "items": [
        {"key": "novelty", "text": "How novel is this comparison?", "measure": "interval",
         "scale": {"points": 5, "low": "well known", "high": "entirely new to me"}},
        {"key": "usefulness", "text": "How useful is it for work on the target?", "measure": "interval",
         "scale": {"points": 5, "low": "of no use", "high": "very useful"}},
        {"key": "challenge", "text": "How far does it challenge the normal view of the topic?", "measure": "interval",
         "scale": {"points": 5, "low": "not at all", "high": "fully"}},
    ],
}  # fmt: skip


def read_rater(words: str) -> dict[str, Any] | str:
    """Read an expert: a name, or NAME=SUBJECT for a simulated one.

    >>> read_rater("ann"), read_rater("bob=chance")
    ('ann', {'name': 'bob', 'as': 'chance'})
    """
    name, _, subject = words.partition("=")
    return {"name": name, "as": subject} if subject else name


def panel_data(
    name: str, proposals: Sequence[AnalogyProposal], *, raters: Sequence[Any], overlap: int
) -> dict[str, Any]:
    """Return the file of a panel of these proposals, each rated by so many experts.

    The arms are the conditions: nobody who rates sees them, and they are told when the panel is closed.
    """
    if overlap < 2:
        raise BadParameter(f"Agreement needs two experts or more for each proposal; got --overlap {overlap}.")
    if overlap > len(raters):
        raise BadParameter(f"--overlap {overlap} needs as many experts; {len(raters)} are named.")
    artefacts = [
        {"text": one.words, "condition": one.arm, "source": f"{one.target} with {one.source}"} for one in proposals
    ]
    # The names of arms are words of everyday texts and betray nothing there.
    return {
        "name": name,
        "rubric": dict(RUBRIC),
        "artefacts": artefacts,
        "keep": list(ARMS),
        "raters": list(raters),
        "overlap": overlap,
    }


def size_sentence(count: int, needed: int | None, *, alpha: float, width: float) -> str:
    """Say before the study whether there are enough proposals to know how far experts agree.

    >>> size_sentence(8, 40, alpha=0.4, width=0.4)
    '8 proposals: fewer than 10, so no interval of agreement will be printed.'
    """
    if count < LEAST:
        return f"{count} proposals: fewer than {LEAST}, so no interval of agreement will be printed."
    if needed is None:
        return f"{count} proposals; no number that was tried makes the interval of alpha {width:g} wide or less."
    verdict = "enough" if count >= needed else "too few"
    return (
        f"{count} proposals: {verdict}. About {needed} are needed for an interval of alpha that is {width:g} wide, if "
        f"alpha is {alpha:g} (simulated)."
    )
