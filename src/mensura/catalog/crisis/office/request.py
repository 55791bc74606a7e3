"""Request and Proposal: how the assistant is asked, and what it may answer. Both are logged like any ask and answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue import Prompt, Space
from mensura.dialogue.spaces.base import Json, shown
from mensura.errors import Invalid
from mensura.json_file import loads

KINDS = ("label", "suggest", "optimise", "find_room", "elicit", "batch", "draft")


@dataclass
class Request(Prompt):
    """What the assistant is asked, and what it may know: all that lies open in the office, never the hidden truth.

    Parameters
    ----------
    kind
        One of `KINDS`.
    about
        What it is about: {"messages": [ids]} to be labelled, {"message": id} or {"event": id}.
    learned, ablate
        The name of what the assistant learned ("" for nothing), and which learners are left out.
    known
        What the assistant may know, as JSON (`mensura.catalog.crisis.office.visible.known`); it is not logged, since
        replaying the session brings it back.
    """

    kind: str  # type: ignore[misc]
    about: Mapping[str, Any] = field(default_factory=dict)
    learned: str = ""
    ablate: tuple[str, ...] = ()
    known: dict[str, Any] = field(default_factory=dict, repr=False)

    def data(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "about": dict(self.about),
            "learned": self.learned,
            "ablate": list(self.ablate),
        }

    def text(self) -> str:
        """Return what is wanted with all that is needed for it: enough for a language model to be the assistant."""
        from mensura.catalog.crisis.office.wanted import request_words

        return request_words(self.kind, self.about, self.known) if self.known else self.kind

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "known": {}}


@dataclass(frozen=True)
class Proposal(Space):
    """What the assistant answers: words, acts that the subject may accept, labels of mail, a ranking.

    >>> Proposal().check({"kind": "find_room", "words": "Try the terrace.", "acts": []})
    {'kind': 'find_room', 'words': 'Try the terrace.', 'acts': [], 'labels': {}, 'ranked': []}
    """

    kind: ClassVar[str] = "proposal"

    def check(self, answer: Any) -> Json:
        if not isinstance(answer, Mapping) or answer.get("kind") not in KINDS:
            raise Invalid(f"A proposal has a kind ({', '.join(KINDS)}); got {shown(answer)}.")
        words, acts = answer.get("words", ""), answer.get("acts", [])
        labels, ranked = answer.get("labels", {}), answer.get("ranked", [])
        if not isinstance(words, str) or not isinstance(labels, Mapping):
            raise Invalid("The words of a proposal are a text, its labels an object of message and labels.")
        if not isinstance(acts, (list, tuple)) or not isinstance(ranked, (list, tuple)):
            raise Invalid("The acts and the ranking of a proposal are lists.")
        for act in acts:
            if (
                not isinstance(act, Mapping)
                or not isinstance(act.get("call"), str)
                or not isinstance(act.get("arguments", {}), Mapping)
            ):
                raise Invalid(f'An act is {{"call": name, "arguments": {{...}}}}; got {shown(act)}.')
        return {
            "kind": answer["kind"],
            "words": words,
            "acts": [{"call": act["call"], "arguments": dict(act.get("arguments", {}))} for act in acts],
            "labels": {str(message): label for message, label in labels.items()},
            "ranked": list(ranked),
        }

    def schema(self) -> Json:
        act = {"type": "object", "properties": {"call": {"type": "string"}, "arguments": {"type": "object"}}}
        return {
            "type": "object",
            "properties": {
                "kind": {"enum": list(KINDS)},
                "words": {"type": "string"},
                "acts": {"type": "array", "items": act},
                "labels": {"type": "object"},
                "ranked": {"type": "array"},
            },
            "required": ["kind"],
        }

    def draw(self, rng: np.random.Generator) -> Json:
        return self.check({"kind": KINDS[int(rng.integers(len(KINDS)))]})

    def parse(self, form: Mapping[str, str]) -> Json:

        try:
            return dict(loads(form.get("answer", "")))
        except (ValueError, TypeError):
            raise Invalid(self.hint()) from None
