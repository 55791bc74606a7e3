"""Percents over hypotheses, set by sliders, bars or keys and made to sum to 100 in one of the original's five ways."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from mensura.catalog.sensemaking.exam.model import NORMALISATION_MODES
from mensura.dialogue import Allocation, Distribution
from mensura.dialogue.spaces.shares import Shares
from mensura.errors import BadParameter
from mensura.json_file import loads

HOW = "how"
"""Where an answer says how it was set: the raw values and the milliseconds spent on each control."""
PACKAGE = {"package": "mensura.catalog.sensemaking", "style": "sensemaking.css"}
PAGE = {**PACKAGE, "template": "percents.html", "script": "percents.js"}


@dataclass(frozen=True)
class SetByControls(Shares):
    """Percents that people set by controls; how they were set may stand beside an answer."""

    page: ClassVar[Mapping[str, str]] = PAGE
    mode: str = NORMALISATION_MODES[0]
    before: Mapping[str, float] | None = None

    def check(self, answer: Any) -> dict[str, Any]:
        """Check the shares, and keep how they were set."""
        if not isinstance(answer, Mapping) or HOW not in answer:
            return super().check(answer)
        how = _read_how(answer[HOW])
        checked: dict[str, Any] = super().check({name: value for name, value in answer.items() if name != HOW})
        return checked if how is None else {**checked, HOW: how}

    def parse(self, form: Mapping[str, str]) -> dict[str, Any]:
        """Read what the fields say, and how the page says they were set; only the page makes them sum to 100."""
        shares: dict[str, Any] = super().parse(form)
        try:
            how = _read_how(loads(form.get(f"answer.{HOW}", "null")))
        except ValueError:
            how = None
        return shares if how is None else {**shares, HOW: how}


@dataclass(frozen=True)
class Percents(SetByControls, Distribution):
    """Probabilities over hypotheses; people set percents, programs give probabilities that sum to one.

    >>> Percents(("A", "B")).parse({"answer.A": "30", "answer.B": "70"})
    {'A': 0.3, 'B': 0.7}
    """

    kind: ClassVar[str] = "percents"


@dataclass(frozen=True)
class PercentAllocation(SetByControls, Allocation):
    """Resources divided in percents."""

    kind: ClassVar[str] = "percent-allocation"


def read_mode(text: str) -> str:
    """Find a normalisation mode by its name, or by a short one: after-and-confirm, after, manual, instant, off."""
    short = dict(zip(("after-and-confirm", "after", "manual", "instant", "off"), NORMALISATION_MODES, strict=True))
    if text in NORMALISATION_MODES:
        return text
    if text not in short:
        raise BadParameter(f"A normalisation is one of {', '.join(short)}; got {text!r}.")
    return short[text]


def shares_of(answer: Mapping[str, Any]) -> dict[str, float]:
    """The shares of an answer, without how they were set."""
    return {name: float(value) for name, value in answer.items() if name != HOW}


def _read_how(found: Any) -> dict[str, Any] | None:
    """Keep what is numbers by name; a page that says nonsense is not believed."""
    if not isinstance(found, Mapping):
        return None
    kept: dict[str, Any] = {}
    for part in ("raw", "control_ms"):
        values = found.get(part)
        if isinstance(values, Mapping) and all(isinstance(v, (int, float)) and 0 <= v < 1e9 for v in values.values()):
            kept[part] = {str(name): float(value) for name, value in values.items()}
    return kept or None
