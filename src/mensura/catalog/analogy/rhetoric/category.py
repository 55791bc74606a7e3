"""The rhetorical category of sentences: by a classifier that the user has trained, else by cue words."""

import re
from collections.abc import Sequence
from functools import lru_cache

CATEGORIES = ("background", "approach", "challenge", "outcome", "future work")
CUES = {
    "future work": r"\bfuture (?:work|research|direction)|in (?:the )?future\b|we (?:plan|intend|hope) to|remains? to "
    r"be|would be interesting|could be extended|left (?:for|to) ",
    "challenge": r"\bhowever\b|\bdifficult|\bchalleng|\bproblem\b|\bfails?\b|\bcannot\b|\blimit(?:ed|ation)|\bdrawback|"
    r"\bsuffers? from|\bexpensive\b|\bunfortunately\b|\bbut\b.*\bnot\b|\black(?:s|ing)?\b",
    "outcome": r"\b(?:results?|experiments?|evaluation|study|we) (?:show|demonstrate|indicate|suggest|reveal|find|"
    r"found)|\boutperform|\bimproves?\b|\bachiev|\bfaster than|\bsuccessfully\b|"
    r"\bresults? (?:is|are|in)\b|\bin conclusion",
    "approach": r"\bwe (?:present|propose|introduce|describe|use|develop|show how|design|apply|employ|compute)|"
    r"\bour (?:method|approach|algorithm|system|technique|model)|\bthis (?:paper|work|article) |\bis (?:based "
    r"on|computed)",
    "background": r"\bprevious|\bprior\b|\brecent(?:ly)?\b|\bhas been\b|\bhave been\b|\btraditional|\bcommon(?:ly)?\b|"
    r"\bwidely\b|\bwell[- ]known|\bis (?:a|an|the|one of)\b|\bare (?:used|important)\b|\bet al",
}
"""Words that a category often has, looked for in this order; no more than a guess."""
COMPILED = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in CUES.items()}
BY_CUES = "cue words, not trained"


def categorise(sentences: Sequence[str], *, model: str = "") -> list[str]:
    """Return the category of each sentence; by cue words "" where none is met."""
    if model:
        return list(_classifier(model).predict(sentences))
    return [next((name for name, cue in COMPILED.items() if cue.search(one)), "") for one in sentences]


@lru_cache(maxsize=4)
def _classifier(file: str):  # type: ignore[no-untyped-def]
    from mensura.catalog.analogy.rhetoric.training import load_classifier

    return load_classifier(file)
