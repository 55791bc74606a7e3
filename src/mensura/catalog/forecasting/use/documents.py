"""Documents: sentence by sentence into five kinds, by two coders; what could have been a forecast."""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from numpy.random import Generator

from mensura.errors import BadData, BadFile
from mensura.stats import Estimate, proportion_estimate
from mensura.stats.agreement import Agreement, cohen_kappa

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
            raise BadData(f"Sentence {sentence} is of kind 2 for no coder; only those stand for bundles of questions.")
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
        """Give the kind of every sentence on which nobody differs."""
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


def read_coding(path: str | Path) -> Coding:
    """Read a coding from a CSV of `number,sentence,coder,kind[,questions]`, questions parted by semicolons."""
    with Path(path).open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    try:
        texts = {int(row["number"]): row["sentence"] for row in rows}
        coding = Coding([texts.get(i, "") for i in range(max(texts, default=-1) + 1)])
        for row in rows:
            coding.code(row["coder"], int(row["number"]), int(row["kind"]))
        for row in rows:
            if row.get("questions"):
                coding.link(int(row["number"]), [name.strip() for name in row["questions"].split(";") if name.strip()])
    except (KeyError, ValueError) as problem:
        raise BadFile(f"{Path(path).name} is no coding: it needs number,sentence,coder,kind ({problem}).") from None
    return coding
