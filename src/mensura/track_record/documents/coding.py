"""Documents: sentence by sentence into five kinds, by two coders; what could have been a forecast."""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from numpy.random import Generator

from mensura.errors import BadData, BadFile
from mensura.stats import Estimate, proportion_estimate
from mensura.stats.consistency.agreement import Agreement, cohen_kappa
from mensura.track_record.files.table import read_rows

KINDS = {
    1: "confirmable, could be an explicit probabilistic forecast",
    2: "not confirmable, could be restated as a collection of confirmable statements",
    3: "not confirmable, meaningful, cannot be so restated",
    4: "statement of fact",
    5: "connective, platitude and the like",
}


def sentences(text: str) -> list[str]:
    """Split a document into sentences, keeping common abbreviations and numbers whole.

    >>> sentences("Prof. Ada spoke at 3.5 km. Will it rain? Yes.")
    ['Prof. Ada spoke at 3.5 km.', 'Will it rain?', 'Yes.']
    """
    guarded = re.sub(r"\b(Mr|Mrs|Ms|Dr|Prof|St|vs|e\.g|i\.e|cf|No|Gen|Col|U\.S)\.", lambda m: m[0][:-1] + "\x00", text)
    parts = re.split(r"(?<=[.!?])[\s]+(?=[A-Z0-9\"'(])", " ".join(guarded.split()))
    return [part.replace("\x00", ".") for part in parts if part.strip()]


@dataclass
class Coding:
    """A document's sentences with the kinds that coders gave them, and the questions that restate the second kind."""

    sentences: Sequence[str]
    codes: dict[str, dict[int, int]] = field(default_factory=dict)
    """By coder: number of the sentence → kind."""
    bundles: dict[int, list[str]] = field(default_factory=dict)
    """By sentence of kind 2: names of the confirmable questions it stands for."""

    def code(self, coder: str, sentence: int, kind: int) -> None:
        """Enter one coder's kind for one sentence."""
        if not 0 <= sentence < len(self.sentences):
            raise BadData(f"The document has sentences 0 to {len(self.sentences) - 1}; got {sentence}.")
        if kind not in KINDS:
            raise BadData(f"A sentence is of kind 1 to 5; got {kind}.")
        self.codes.setdefault(coder, {})[sentence] = kind

    def link(self, sentence: int, questions: Sequence[str]) -> None:
        """Link a sentence of kind 2 to the bundle of confirmable questions that restates it."""
        if not any(given.get(sentence) == 2 for given in self.codes.values()):
            raise BadData(f"No coder put sentence {sentence} into kind 2; only that kind stands for questions.")
        self.bundles[sentence] = list(questions)

    def agreement(self, *, rng: Generator) -> Agreement:
        """Estimate how far two coders agree beyond chance (Cohen's kappa)."""
        if len(self.codes) != 2:
            raise BadData(f"Agreement needs two coders; there are {len(self.codes)}.")
        first, second = self.codes.values()
        both = sorted(set(first) & set(second))
        if not both:
            raise BadData("The two coders have coded no sentence in common.")
        return cohen_kappa(first=[first[i] for i in both], second=[second[i] for i in both], rng=rng)

    def shares(self) -> Mapping[int, Estimate]:
        """Estimate the share of each kind, over sentences that all coders who saw them put into the same kind."""
        settled = self.settled()
        return {kind: proportion_estimate(sum(k == kind for k in settled.values()), n=len(settled)) for kind in KINDS}

    def settled(self) -> dict[int, int]:
        """Return the kind of every sentence on which nobody differs."""
        kinds: dict[int, set[int]] = {}
        for given in self.codes.values():
            for sentence, kind in given.items():
                kinds.setdefault(sentence, set()).add(kind)
        return {sentence: next(iter(found)) for sentence, found in sorted(kinds.items()) if len(found) == 1}

    def disputed(self) -> list[int]:
        """List the sentences on which coders differ, to be talked over."""
        settled = self.settled()
        seen = {sentence for given in self.codes.values() for sentence in given}
        return sorted(seen - set(settled))


def write_sheets(document: str | Path, folder: str | Path, *, coders: Sequence[str]) -> list[Path]:
    """Write one sheet per coder, `number,sentence,coder,kind,questions`, with the kinds left to be filled in."""
    source, place = Path(document), Path(folder)
    if not source.is_file():
        raise BadFile(f"There is no file {source}. A document is plain text in UTF-8.")
    try:
        texts = sentences(source.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise BadFile(f"{source.name} is not plain text in UTF-8.") from None
    if not texts:
        raise BadFile(f"{source.name} has no sentences.")
    place.mkdir(parents=True, exist_ok=True)
    paths = []
    for coder in dict.fromkeys(coders):
        path = place / f"{re.sub(r'[^A-Za-z0-9_-]', '_', coder)}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            rows = [(number, text, coder, "", "") for number, text in enumerate(texts)]
            csv.writer(file).writerows([("number", "sentence", "coder", "kind", "questions"), *rows])
        paths.append(path)
    return paths


def read_codings(paths: Sequence[str | Path]) -> Coding:
    """Read the sheets of the coders of one document, `number,sentence,coder,kind[,questions]`, questions parted by ;.

    Sentences whose kind is empty are not coded yet.
    """
    columns, form = ("number", "sentence", "coder", "kind"), "A coding is a CSV of number,sentence,coder,kind."
    rows = [row for path in paths for row in read_rows(path, columns, form=form)]
    texts: dict[int, str] = {}
    for place, row in rows:
        number = _whole(place, row, "number")
        if texts.setdefault(number, row["sentence"]) != row["sentence"]:
            raise BadFile(f"{place}: sentence {number} differs from the one read before.")
    coding = Coding([texts.get(i, "") for i in range(max(texts, default=-1) + 1)])
    links: dict[int, list[str]] = {}
    for place, row in rows:
        if not row["kind"]:
            continue
        number, kind = _whole(place, row, "number"), _whole(place, row, "kind")
        if kind not in KINDS:
            raise BadFile(f"{place}: a sentence is of kind 1 to 5; got {kind}.")
        coding.code(row["coder"], number, kind)
        named = [part.strip() for part in row.get("questions", "").split(";") if part.strip()]
        links[number] = list(dict.fromkeys([*links.get(number, []), *named]))
    for number, named in links.items():
        if named:
            coding.link(number, named)
    return coding


def _whole(place: str, row: Mapping[str, str], column: str) -> int:
    try:
        return int(row[column])
    except ValueError:
        raise BadFile(f"{place}: {column} {row[column]!r} is not a whole number.") from None
