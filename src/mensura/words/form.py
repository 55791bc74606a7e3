"""The form in WordNet of a word as it is written: irregular forms first, then endings."""

from functools import cache
from pathlib import Path

from mensura.words.taxonomy import Part, Taxonomy
from mensura.words.wordnet import find_wordnet

ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
             ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
}  # fmt: skip
"""The endings that WordNet's own search takes off, in its order."""


@cache
def irregular(part: Part) -> dict[str, str]:
    """Return irregular forms as the installed files list them; npm's package has no such lists."""
    file = Path(find_wordnet()).parent / f"{part}.exc"
    if not file.is_file():
        return {}
    lines = (line.split() for line in file.read_text(encoding="utf-8").splitlines())
    return {fields[0]: fields[1] for fields in lines if len(fields) > 1 and "_" not in fields[0]}


def base_forms(word: str, *, part: Part, words: Taxonomy) -> list[str]:
    """Return the forms of a word that WordNet knows as this part of speech, the likeliest first.

    A doubled consonant before an ending (stopped, running) is taken off too.
    """
    known = irregular(part).get(word)
    found = [known] if known and words.knows(known, part) else []
    if words.knows(word, part) and not (known and known != word):
        found.append(word)
    for ending, instead in ENDINGS[part]:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word[: -len(ending)] + instead
            doubled = stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and ending in ("ed", "ing") else ""
            found += [form for form in (stem, doubled) if form and form not in found and words.knows(form, part)]
    return found


def base_form(word: str, *, part: Part, words: Taxonomy) -> str | None:
    """Return the likeliest form: the one that was met most often, the first of equals; None for an unknown word."""
    found = base_forms(word, part=part, words=words)
    return max(found, key=lambda form: words.count(form, part)) if found else None
