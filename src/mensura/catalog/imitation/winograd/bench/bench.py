"""The bench: every schema of a file tried for selection, ambiguity, background and association; nothing is dropped."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mensura.catalog.imitation.winograd.bench.ambiguity import SPLIT, Ambiguity, PersonSaid, check_ambiguity
from mensura.catalog.imitation.winograd.bench.association import WordAssociation, associate, words_of
from mensura.catalog.imitation.winograd.bench.corpus import WordCounts, count_words
from mensura.catalog.imitation.winograd.bench.predicate import predicate_of
from mensura.catalog.imitation.winograd.bench.selection import SelectionCheck, check_selection, head_of
from mensura.catalog.imitation.winograd.files import read_schemas
from mensura.catalog.imitation.winograd.schema import Schema
from mensura.errors import NotInstalled
from mensura.stats import Scale, unit_estimate

Answers = Mapping[str, Sequence[PersonSaid]]
"""Item ("schema/number") → each person's answer, confidence and group."""


@dataclass(frozen=True, slots=True)
class TriedSchema:
    """What the bench found of one schema, sentence by sentence."""

    schema: Schema
    selection: tuple[SelectionCheck, ...]
    ambiguity: tuple[Ambiguity, ...]
    association: tuple[WordAssociation, ...]

    @property
    def flags(self) -> tuple[str, ...]:
        """What speaks against the schema; empty where nothing was found."""
        found = []
        if any(one.verdict == "flagged" for one in self.selection):
            found.append("selectional restriction")
        found += [what for what in SPLIT if any(one.verdict == what for one in self.ambiguity)]
        pairs = zip(self.association, self.schema.sentences, strict=False)
        if self.association and all(one.candidate == sentence.right for one, sentence in pairs):
            found.append("association")
        return tuple(found)

    @property
    def reasons(self) -> tuple[str, ...]:
        """What each flag rests on."""
        said = [one.rests_on for one in self.selection if one.verdict == "flagged"]
        said += [one.rests_on for one in self.ambiguity if one.verdict in SPLIT]
        if "association" in self.flags:
            said += [one.rests_on for one in self.association]
        return tuple(dict.fromkeys(said))

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {
            "id": self.schema.id,
            "flags": list(self.flags),
            "background": self.schema.background or None,
            "sentences": [
                {
                    "text": sentence.text,
                    "right": self.schema.candidates[sentence.right],
                    "selection": self.selection[number].as_json(),
                    "ambiguity": self.ambiguity[number].as_json(),
                    "association": self.association[number].as_json(sentence.right) if self.association else None,
                }
                for number, sentence in enumerate(self.schema.sentences)
            ],
        }


@dataclass(frozen=True, slots=True)
class Bench:
    """What the bench found of all schemas, and what it had to go by."""

    tried: tuple[TriedSchema, ...]
    wordnet: str
    """Its version; empty where it is not installed."""
    counts: WordCounts | None

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {
            "schemas": [one.as_json() for one in self.tried],
            "counts": {name: dict(sorted(row.items())) for name, row in self.verdicts().items()},
            "flagged": [one.schema.id for one in self.tried if one.flags],
            "wordnet": self.wordnet or None,
            "corpus": {"files": list(self.counts.files), "words": self.counts.words} if self.counts else None,
            "association": self.association_share().as_json() if self.counts else None,
        }

    def verdicts(self) -> dict[str, dict[str, int]]:
        """Count sentences by verdict, and schemas by whether their background is stated."""
        found: dict[str, dict[str, int]] = {"selection": {}, "ambiguity": {}, "background": {}}
        for tried in self.tried:
            stated = "stated" if tried.schema.background else "not stated"
            found["background"][stated] = found["background"].get(stated, 0) + 1
            for name, rows in (("selection", tried.selection), ("ambiguity", tried.ambiguity)):
                for row in rows:
                    found[name][row.verdict] = found[name].get(row.verdict, 0) + 1
        return found

    def association_share(self) -> Any:
        """Estimate the share of sentences that association alone has right, of those for which it has an answer."""
        shares = []
        for tried in self.tried:
            rows = zip(tried.association, tried.schema.sentences, strict=False)
            known = [row.candidate == sentence.right for row, sentence in rows if row.candidate is not None]
            shares += [sum(known) / len(known)] if known else []
        return unit_estimate(shares, unit="schema", scale=Scale(0, 1))


def try_schemas(
    schemas: Iterable[Schema],
    *,
    corpus: Sequence[str | Path] = (),
    answers: Answers | None = None,
    sample: str = "people",
    wordnet: bool = True,
) -> Bench:
    """Try every schema; what there is nothing to go by is not checked, and says so."""
    rows = tuple(schemas)
    version = _wordnet_version() if wordnet else ""
    counts = count_words(corpus, _wanted(rows)) if corpus else None
    said = answers or {}
    made = [
        TriedSchema(
            schema,
            tuple(check_selection(schema, one, wordnet=bool(version), counts=counts) for one in schema.sentences),
            tuple(
                check_ambiguity(schema, number, said.get(f"{schema.id}/{number}", ()), sample=sample)
                for number in range(len(schema.sentences))
            ),
            tuple(associate(schema, one, counts) for one in schema.sentences) if counts else (),
        )
        for schema in rows
    ]
    return Bench(tuple(made), version, counts)


def try_file(path: str | Path, **options: Any) -> Bench:
    """Try every schema of a file."""
    return try_schemas(read_schemas(path), **options)


def _wanted(schemas: Iterable[Schema]) -> set[str]:
    found: set[str] = set()
    for schema in schemas:
        found |= {head_of(one) for one in schema.candidates}
        for sentence in schema.sentences:
            found |= set(words_of(sentence))
            predicate = predicate_of(sentence)
            if not isinstance(predicate, str):
                found.add(predicate.word)
    return found


def _wordnet_version() -> str:
    from mensura.words.taxonomy import taxonomy

    try:
        return taxonomy().version
    except NotInstalled:
        return ""
