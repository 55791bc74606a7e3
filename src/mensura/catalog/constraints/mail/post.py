"""Post: what an agent is shown when it is woken: its share of the problem at first, then the letters it reads now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.constraints.mail.letter import Letter, frozen
from mensura.catalog.constraints.mail.share import AgentShare, Table
from mensura.dialogue.prompts.base import Prompt


@dataclass(slots=True)
class Post(Prompt):
    """The letters that an agent reads now, its share of the problem at the start, and what was refused of its calls."""

    kind: ClassVar[str] = "post"
    page: ClassVar[dict[str, str]] = {
        "package": "mensura.catalog.constraints.showing",
        "template": "post.html",
        "script": "post.js",
        "style": "post.css",
        "title": "Your letters",
        "alone": "yes",
    }
    share: AgentShare | None
    letters: Sequence[Letter]
    cycle: int
    refused: Sequence[str] = ()
    known: AgentShare | None = field(default=None, repr=False, compare=False)
    """The share once more: a page that is opened again shows it, while records and programs have it from the start."""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Post":
        """Make the prompt again from its data."""
        share = data["share"]
        letters = [Letter(sender, kind, frozen(content)[0]) for sender, kind, content in data["letters"]]
        return cls(None if share is None else AgentShare.read(share), letters, data["cycle"], data["refused"])

    def data(self) -> dict[str, Any]:
        """Return all that is shown, as JSON."""
        return {
            "kind": self.kind,
            "share": None if self.share is None else self.share.data(),
            "letters": self.letters,
            "cycle": self.cycle,
            "refused": self.refused,
        }

    def page_data(self) -> dict[str, Any]:
        """Return what the page draws: with the share, however late it is opened."""
        return self.data() | ({} if self.known is None else {"share": self.known.data()})

    def __reduce__(self) -> tuple[Any, ...]:
        # Who reads it elsewhere has its share already.
        return Post, (self.share, self.letters, self.cycle, self.refused)

    def text(self) -> str:
        """Say it in words."""
        lines = [] if self.share is None else [_described(self.share)]
        lines += [f"Cycle {self.cycle}. " + ("Your letters:" if self.letters else "No letters.")]
        lines += [f"- {letter.kind} from {letter.sender}: {letter.data}" for letter in self.letters]
        return "\n".join([*lines, *self.refused])


def _described(share: AgentShare) -> str:
    """Say in words what an agent is told at the start."""
    if share.objective == "satisfy":
        aim = "such that nothing forbidden is chosen"
    else:
        aim = f"such that the sum of all costs becomes {share.objective}imal"
    lines = [
        f"You are agent {share.agent}. Agree with the other agents on values of all variables, {aim}. You know only "
        "your own constraints, and learn of others by letters.",
        *(f"You choose {name} from {list(share.domains[name])}." for name in share.variables),
        f"Your neighbours: {', '.join(share.neighbours) or 'none'}.",
        f"Your rank is {share.ranks[share.agent]}; 0 is first.",
    ]
    return "\n".join([*lines, *(_constraint(share, scope, table) for scope, table in share.relations)])


def _constraint(share: AgentShare, scope: tuple[str, ...], table: Table) -> str:
    """Say which values of a constraint are forbidden together, or what they cost."""
    names, hard = ", ".join(scope), table.dtype == bool
    told = ~table if hard else table != 0
    cells = []
    for place in zip(*np.nonzero(told), strict=True):
        values = ", ".join(str(share.domains[name][at]) for name, at in zip(scope, place, strict=True))
        cells.append(f"({values})" if hard else f"({values}) {table[place]:g}")
    if hard:
        return f"Forbidden for {names}: {', '.join(cells) or 'nothing'}."
    return f"Costs of {names}: {', '.join(cells) or 'none'}; all others cost nothing."
