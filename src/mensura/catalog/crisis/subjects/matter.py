"""Reading: what a simulated participant makes of a message they have opened, from its words and what the pages show."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mensura.catalog.crisis.act import Act, spoiled
from mensura.catalog.crisis.assistant.classifier import KEYWORDS
from mensura.catalog.crisis.assistant.extractor import Extractor
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.learning.observing import LABEL_OF
from mensura.catalog.crisis.assistant.reader import sentences
from mensura.catalog.crisis.office.slots import read_slots
from mensura.catalog.crisis.subjects.traits import Traits
from mensura.catalog.crisis.world.requirement import Requirement

SURE = 0.4
"""How sure someone is of a form before they fill it in; the assistant proposes what is less sure, too."""
READER = Extractor({})


@dataclass(frozen=True)
class Matter:
    """Something that a message brings, as its reader understood it."""

    kind: str
    """As in `mensura.catalog.crisis.world.mail.TaskKind`."""
    act: Act | None = None
    """What settles it; None where no form does."""
    words: str = ""
    """The question, where it is one."""

    @property
    def about(self) -> Mapping[str, Any]:
        """What its form says."""
        return {} if self.act is None else self.act["arguments"]

    @property
    def rules(self) -> list[Requirement]:
        """The rule that it asks to be kept, where its form is a constraint."""
        if self.act is None or self.act["call"] != "constrain":
            return []
        said = dict(self.about)
        slots = read_slots(said.pop("slots", ""))
        return [Requirement(id=str(self.act), leaf="requests", slots=slots if isinstance(slots, tuple) else (), **said)]


def read_letter(letter: Mapping[str, Any], office: Mapping[str, Any]) -> list[Matter]:
    """Read what a message asks for, as well as can be: subject, body and sender, and what lies open in the office.

    The reading is the one that was engineered for the assistant, which knows neither the world nor what it was drawn
    from; it misses some things and takes others for what they are not.
    """
    text = f"{letter['subject']}\n{letter['body']}"
    found = [Matter("crisis")] if re.search(KEYWORDS["crisis"], text.lower()) else []
    for entry in READER.entries(letter, Known(office)):
        if entry.confidence >= SURE:
            found.append(Matter(_kind(entry.act), entry.act))
    if re.search(KEYWORDS["query"], text.lower()):
        asked = [one for one in sentences(letter["body"]) if one.endswith("?")]
        found.append(Matter("query", words=" ".join([letter["subject"], *asked])))
    return found


def understand(matters: Iterable[Matter], *, traits: Traits, rng: np.random.Generator) -> list[Matter]:
    """Return which of a message's matters a reader of this skill sees: each with the chance ½ + ½ skill."""
    return [matter for matter in matters if rng.random() < 0.5 + 0.5 * traits.skill]


def misread(matter: Matter, *, traits: Traits, rng: np.random.Generator) -> Matter:
    """Spoil a number or a word with the chance 0.15 (1 − skill), as a slip of the eye or the hand would."""
    if matter.act is None or "value" not in matter.about or rng.random() >= 0.15 * (1 - traits.skill):
        return matter
    return replace(matter, act=spoiled(matter.act, rng))


def _kind(act: Act) -> str:
    if act["arguments"].get("fact") == "lost":
        return "crisis"
    if act["call"] == "constrain":
        return "availability" if act["arguments"]["kind"] == "away" else "preference"
    return "web" if act["call"] == "edit_entry" else LABEL_OF[act["call"]]
