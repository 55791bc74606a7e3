"""What is scored and what each part weighs: case types, their attributes, costs and conditions."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Literal

from mensura.errors import BadParameter, unknown
from mensura.scores.matching.credit import Credit

SCALARS = ("string", "number", "integer", "date", "boolean")


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of a type: its domain (a scalar or another type), its weight, and whether it takes many values.

    `pairing` says, for values that are cases, whether only partners of the global pairing are credited or the best
    pairing within the two cases compared; None takes the specification's default.
    """

    name: str
    domain: str
    weight: float = 1.0
    many: bool = False
    credit: Credit = field(default_factory=Credit)
    pairing: Literal["global", "local"] | None = None

    @property
    def scalar(self) -> bool:
        """Whether values are plain values and not objects of another type."""
        return self.domain in SCALARS


@dataclass(frozen=True, slots=True)
class Costs:
    """What a false report of a case and the silence about a real one cost."""

    false_positive: float = 1.0
    false_negative: float = 1.0


@dataclass(frozen=True, slots=True)
class Precondition:
    """A necessary condition for two cases to be paired at all.

    ``overlap`` (two attributes, start and end: the intervals must meet), ``within`` (one attribute: not further
    apart than `distance`), ``same`` (one single-valued attribute must be equal); a value that is missing on either
    side cannot refuse a pair. ``function``: the user's own, see `conditions.admitted`.
    """

    kind: Literal["overlap", "within", "same", "function"]
    attributes: tuple[str, ...] = ()
    distance: float = 0.0
    function: str = ""


@dataclass(frozen=True, slots=True)
class Timeliness:
    """How an alert's lead before the event turns into a share of its credit.

    Lead is the reference's `event` date minus the date the alert was submitted. ``linear``: lead / full, at most 1;
    ``step``: 1 from the full lead on. No lead, no credit.
    """

    event: str
    full: float
    curve: Literal["linear", "step"] = "linear"


@dataclass(frozen=True, slots=True)
class CaseType:
    """A type of objects.

    Parameters
    ----------
    case : bool
        Whether objects of this type are scored cases with a pairing of their own.
    compare : {"content", "uid", "strict"}
        By weighted assertions, by unique identifier alone, or all or nothing by equal sets of values.
    members : str or None
        Set for equivalence classes of aliases: the attribute that lists the members.
    open : bool
        Whether objects may be named without being described.
    """

    name: str
    case: bool = False
    compare: Literal["content", "uid", "strict"] = "content"
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    members: str | None = None
    open: bool = False
    costs: Costs = field(default_factory=Costs)
    threshold: float | None = None
    conditions: tuple[Precondition, ...] = ()
    timeliness: Timeliness | None = None

    @property
    def bare(self) -> bool:
        """Whether a mere identifier is enough to name an object of this type."""
        return self.compare == "uid" or self.members is not None or self.open


@dataclass(frozen=True, slots=True)
class Specification:
    """Types in the order they are scored: leaves first, so that every pair is compared once.

    `pairing`, `reading`, `aliases` and `force` are the defaults of this specification; a call may change them.
    """

    name: str
    types: Mapping[str, CaseType]
    pairing: Literal["global", "local"] = "global"
    reading: Literal["smooth", "crisp"] = "smooth"
    aliases: Literal["classes", "reference"] = "classes"
    force: bool = True

    @property
    def cases(self) -> tuple[str, ...]:
        """Names of the scored case types, leaves first."""
        return tuple(name for name, kind in self.types.items() if kind.case)

    def weighted(self, weights: Mapping[str, float]) -> "Specification":
        """Return the specification with some weights replaced, written ``Type.attribute``.

        >>> attack = CaseType("Attack", case=True, attributes={"date": Attribute("date", "date")})
        >>> changed = Specification("small", {"Attack": attack}).weighted({"Attack.date": 4})
        >>> changed.types["Attack"].attributes["date"].weight
        4
        """
        types = dict(self.types)
        for path, weight in weights.items():
            name, _, attribute = path.partition(".")
            if name not in types:
                raise unknown("type", name, known=types, see=f"This specification has {', '.join(types)}.")
            attributes = dict(types[name].attributes)
            if attribute not in attributes:
                see = f"{name} has {', '.join(attributes) or 'no attributes'}."
                raise unknown(f"attribute of {name}", attribute, known=attributes, see=see)
            if not (isfinite(weight) and weight >= 0):
                raise BadParameter(f"A weight is a number of at least 0; got {weight} for {path}.")
            attributes[attribute] = replace(attributes[attribute], weight=weight)
            types[name] = replace(types[name], attributes=attributes)
        for name, kind in types.items():
            if kind.compare == "content" and not any(each.weight > 0 for each in kind.attributes.values()):
                raise BadParameter(f"All weights of {name} are zero, so nothing could be scored. Leave one positive.")
        return replace(self, types=types)
