"""What a patrol can do: pay for information, alert a target, arrest someone, or go on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.detection.prompts import own_files
from mensura.dialogue import Call, Choice, Text, Tool
from mensura.errors import Invalid

LEVELS = ("1", "2")


@dataclass(frozen=True)
class PatrolAct(Call):
    """One act with whom or what it is about.

    Names are I0, I1 and so on, targets T0; `prices` of the acts are for the page.
    """

    kind: ClassVar[str] = "detection-acts"
    page: ClassVar[dict[str, Any]] = own_files("acts")
    names: int = 0
    targets: int = 0
    prices: Mapping[str, float] = field(default_factory=dict)

    def check(self, answer: Any) -> dict[str, Any]:
        act = super().check(answer)
        for what, letter, count in (("name", "I", self.names), ("target", "T", self.targets)):
            if what in act["arguments"]:
                given = act["arguments"][what].strip().upper()
                if not (given[:1] == letter and given[1:].isdecimal() and int(given[1:]) < count):
                    raise Invalid(f"There is no {what} {given!r}; they go from {letter}0 to {letter}{count - 1}.")
                act["arguments"][what] = f"{letter}{int(given[1:])}"
        return act

    def draw(self, rng: np.random.Generator) -> dict[str, Any]:
        act = super().draw(rng)
        for what, letter, count in (("name", "I", self.names), ("target", "T", self.targets)):
            if what in act["arguments"]:
                act["arguments"][what] = f"{letter}{int(rng.integers(count))}"
        return act

    def parse(self, form: Mapping[str, str]) -> dict[str, Any]:
        """Read the fields of the page, or what any call reads."""
        name = form.get("answer.call", "")
        if name not in self.tools:
            return super().parse(form)
        return {
            "call": name,
            "arguments": {each: form.get(f"answer.{each}", "") for each in self.tools[name].arguments},
        }

    def data(self) -> dict[str, Any]:
        return {**super().data(), "names": self.names, "targets": self.targets, "prices": dict(self.prices)}


def acts(names: int, targets: int, *, prices: Mapping[str, float], back: int) -> PatrolAct:
    """Return what can be done.

    Parameters
    ----------
    back : int
        How many days information goes back.
    """
    name, target = Text(longest=12, lines=1), Text(longest=12, lines=1)
    around = f"of the last {back} days, truly and under usual names"
    tools = {
        "go_on": Tool("Do nothing more until the next day of report."),
        "inquire": Tool(f"See everything around a name, I0 to I{names - 1}, {around}.", {"name": name}),
        "watch": Tool(f"See everything at a target, T0 to T{targets - 1}, {around}.", {"target": target}),
        "alert": Tool("Put a target on alert.", {"target": target, "level": Choice(LEVELS)}),
        "arrest": Tool("Arrest someone by name.", {"name": name}),
    }
    return PatrolAct(tools, names, targets, prices)
