"""Procedure: how people go through a study: who may, in which cohorts, by which steps, and what they are paid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

from mensura.errors import BadParameter, unknown


@dataclass(frozen=True)
class Criterion:
    """A question to those who would take part, and the answer that admits them."""

    key: str
    text: str
    admits: bool = True


@dataclass(frozen=True)
class Pay:
    """The payment of participants: for every half hour begun, and for milestones that the program checks."""

    per_half_hour: float = 0.0
    milestones: Mapping[str, float] = field(default_factory=dict)
    """Name of a milestone, as the test's scoring reports it, → what it is worth."""
    currency: str = "$"


@dataclass(frozen=True)
class CohortPlan:
    """How participants are gathered: a number at a time, until each condition has enough."""

    size: int = 15
    per_condition: int = 30
    spares: int = 0
    """Places in each cohort beyond those that are needed, for those who do not come or must be left out."""
    slots: tuple[str, ...] = ()
    """When cohorts can meet: 2027-03-01 09:00."""


@dataclass(frozen=True)
class Procedure:
    """How people go through a study."""

    criteria: tuple[Criterion, ...] = ()
    cohorts: CohortPlan = field(default_factory=CohortPlan)
    instruction: tuple[str, ...] = ()
    """Pages, as Markdown, that are read before the test."""
    pay: Pay = field(default_factory=Pay)
    answers: tuple[str, ...] = ()
    """All that observers may say to a participant who asks."""
    exclude_for: tuple[str, ...] = ()
    """Reasons for which an observer leaves someone out at once."""
    consider_for: tuple[str, ...] = ()
    """Reasons that the evaluator judges later."""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Procedure":
        """Read a procedure from plain data, as YAML gives it.

        >>> Procedure.read({"pay": {"per_half_hour": 8}, "criteria": ["Are you 18 to 65 years old?"]}).criteria[0].key
        'c1'
        """
        if not isinstance(data, Mapping):
            raise BadParameter(f"`procedure` is a mapping; got {data!r}.")
        known = [each.name for each in fields(cls)]
        for name in data:
            if name not in known:
                raise unknown("part of a procedure", str(name), known=known, see=f"Parts are {', '.join(known)}.")
        given = dict(data)
        criteria = read_criteria(given.pop("criteria", ()))
        cohorts = _part(CohortPlan, given.pop("cohorts", {}), "cohorts")
        for name in ("size", "per_condition", "spares"):
            if type(getattr(cohorts, name)) is not int:
                raise BadParameter(f"`{name}` of the cohorts is a whole number; got {getattr(cohorts, name)!r}.")
        for slot in cohorts.slots:
            slot_time(slot)
        pay = _part(Pay, given.pop("pay", {}), "pay")
        if not isinstance(pay.milestones, Mapping):
            raise BadParameter(f"`milestones` of the pay map each name to what it is worth; got {pay.milestones!r}.")
        for name, worth in {"per_half_hour": pay.per_half_hour, **pay.milestones}.items():
            if isinstance(worth, bool) or not isinstance(worth, int | float) or not 0 <= worth < float("inf"):
                raise BadParameter(f"`{name}` of the pay is an amount of 0 or more; got {worth!r}.")
        texts = {name: tuple(map(str, _listed(texts, name))) for name, texts in given.items()}
        return cls(criteria, cohorts, pay=pay, **texts)


def read_criteria(data: Any) -> tuple[Criterion, ...]:
    """Read the questions that admit people, or turn them away."""
    asked = _listed(data, "criteria")
    criteria = tuple(_criterion(each, number) for number, each in enumerate(asked, start=1))
    if len({each.key for each in criteria}) < len(criteria):
        raise BadParameter("Two criteria have the same key.")
    return criteria


def slot_time(slot: str) -> datetime:
    """Read when a cohort meets.

    >>> slot_time("2027-03-01 09:00").hour
    9
    """
    try:
        return datetime.fromisoformat(str(slot))
    except ValueError:
        raise BadParameter(f"A cohort's slot is written 2027-03-01 09:00; got {slot!r}.") from None


def time_of_day(moment: datetime) -> str:
    """Return whether a moment lies in the morning, the afternoon or the evening.

    >>> time_of_day(slot_time("2027-03-01 17:00"))
    'evening'
    """
    return "morning" if moment.hour < 12 else "afternoon" if moment.hour < 17 else "evening"


def _criterion(data: Any, number: int) -> Criterion:
    if isinstance(data, str):
        data = {"text": data}
    if not isinstance(data, Mapping) or not data.get("text"):
        raise BadParameter(f"Criterion {number} of the procedure needs a text.")
    return Criterion(str(data.get("key") or f"c{number}"), str(data["text"]), bool(data.get("admits", True)))


def _listed(data: Any, name: str) -> Sequence[Any]:
    if not isinstance(data, list | tuple):
        raise BadParameter(f"`{name}` of a procedure is a list; got {data!r}.")
    return data


def _part(kind: Any, data: Any, name: str) -> Any:
    if not isinstance(data, Mapping):
        raise BadParameter(f"`{name}` of a procedure is a mapping; got {data!r}.")
    known = [each.name for each in fields(kind)]
    for key in data:
        if key not in known:
            raise unknown(f"part of `{name}`", str(key), known=known, see=f"Parts are {', '.join(known)}.")
    given = {key: tuple(map(str, _listed(value, "slots"))) if key == "slots" else value for key, value in data.items()}
    return kind(**given)
