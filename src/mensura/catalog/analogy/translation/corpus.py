"""Texts and versions of them: round trips through languages from a file, or damage of ours by stated amounts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from mensura.catalog.analogy.damage.damaging import HARMFUL, HARMLESS, damaged
from mensura.catalog.analogy.document.rows import rows_of
from mensura.catalog.analogy.own.stories import own_stories
from mensura.catalog.analogy.own.texts import own_texts
from mensura.dialogue.streams import Address, generator
from mensura.errors import BadFile, BadParameter

SEED = 1
"""The public seed of our damage: it is the same for everybody."""
DOSES = {"damage 1": 0.15, "damage 2": 0.4, "damage 3": 0.7, "damage 4": 1.0}
UNCHANGED = "unchanged"
OURS = f"{UNCHANGED} > {' > '.join(DOSES)}"
"""The order of our versions, stated before anything is measured; splits and joins are not in it."""
DamageKind = Annotated[
    str, f"How the texts that come with the test are damaged: all (one kind after the other), {', '.join(HARMFUL)}."
]
NEEDED = ("text", "original", "version", "language")
FORM = '{"text": "a", "original": "...", "version": "...", "language": "French"}'


@dataclass(frozen=True)
class Version:
    """One version of a text, and what became of it on the way."""

    text: str
    original: str
    version: str
    language: str


def read_versions(data: str, kind: str = "all") -> tuple[Version, ...]:
    """Read the versions of a file of JSON lines, or of a folder that has it as corpus.jsonl; ours for no file."""
    return _read(data) if data else made_versions(kind)


@cache
def _read(data: str) -> tuple[Version, ...]:
    place = Path(data).expanduser()
    file = place / "corpus.jsonl" if place.is_dir() else place
    found = [one for _, one in rows_of(file, _version, form=FORM)]
    if not found:
        raise BadFile(f"{file} holds no versions of texts.")
    return tuple(found)


def _version(row: Any) -> Version:
    one = Version(*(row[name] for name in NEEDED))
    if not all(isinstance(part, str) and part.strip() for part in (one.text, one.original, one.version)):
        raise ValueError("text, original and version are texts, and not empty")
    return one


@cache
def made_versions(kind: str = "all") -> tuple[Version, ...]:
    """Return our texts unchanged, damaged by four doses, split and joined. Nobody translated them: it is simulated.

    Parameters
    ----------
    kind
        synonyms, deletions, reorderings, swapped arguments, or all: one after the other.
    """
    if kind != "all" and kind not in HARMFUL:
        raise BadParameter(f"--kind is all, {', '.join(HARMFUL)}; got {kind!r}.")
    kinds = HARMFUL if kind == "all" else (kind,)
    texts = [(one.id, one.source, one.concepts) for one in own_texts()]
    texts += [(one.id, one.base, tuple(one.pairs)) for one in own_stories()]
    found = []
    for place, (name, text, concepts) in enumerate(texts):
        found.append(Version(name, text, text, UNCHANGED))
        changes = [(language, kinds, dose) for language, dose in DOSES.items()]
        for number, (language, how, dose) in enumerate([*changes, *((one, (one,), 1.0) for one in HARMLESS)]):
            rng = generator(SEED, Address(course=place, session=number))
            made = damaged(text, kinds=how, dose=dose, rng=rng, concepts=concepts)
            found.append(Version(name, text, made, language))
    return tuple(found)


def read_order(words: str, versions: Sequence[Version], *, made: bool) -> Mapping[str, int]:
    """Read an order of languages stated beforehand, nearest first: language → tier; empty where none is stated.

    >>> read_order("French, German > Irish", [], made=False)
    {'French': 0, 'German': 0, 'Irish': 1}
    """
    words = words or (OURS if made else "")
    tiers = [[name.strip() for name in tier.split(",") if name.strip()] for tier in words.split(">")] if words else []
    found = {name: place for place, tier in enumerate(tiers) for name in tier}
    if words and (not all(tiers) or len(tiers) < 2 or len(found) < sum(map(len, tiers))):
        raise BadParameter(
            f'--order names languages, the nearest first, each once, as "French, German > Irish"; got {words!r}.'
        )
    known = {one.language for one in versions}
    if known and (missing := [name for name in found if name not in known]):
        raise BadParameter(f"--order names {missing[0]!r}; the versions are of {', '.join(sorted(known))}.")
    return found
