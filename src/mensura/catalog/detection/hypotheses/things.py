"""Objects as they stand in a JSONL file: one per line, nested ones by identifier or inline."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

from mensura.catalog.detection.hypotheses.pause import collector_paused
from mensura.catalog.detection.hypotheses.specification import Attribute, CaseType, Costs, Specification
from mensura.errors import BadFile
from mensura.json_file import loads

Values = dict[str, list[Any]]

_RESERVED = ("type", "uid", "confidence", "probability", "alternatives", "costs", "submitted")
_SHOWN = 10
DAY_NUMBER, CALENDAR = "day numbers", "calendar dates (YYYY-MM-DD)"


@dataclass(slots=True)
class Thing:
    """One object: its content as one or several alternatives, each with its probability, and where it was read.

    `implied` marks an object that was only named, not described.
    """

    type: str
    uid: str
    alternatives: list[tuple[float, Values]]
    line: int
    confidence: float | None = None
    costs: Costs | None = None
    submitted: float | None = None
    implied: bool = False

    @property
    def values(self) -> Values:
        """Content of the likeliest alternative; all of it where the object is definite."""
        return max(self.alternatives, key=lambda each: each[0])[1]

    @property
    def definite(self) -> bool:
        """Whether the object is one certain statement."""
        return len(self.alternatives) == 1 and self.alternatives[0][0] == 1.0


@dataclass(slots=True)
class Things:
    """All objects of one file by type and identifier.

    `dates` has the styles in which dates are written (`DAY_NUMBER`, `CALENDAR`) and the first line with each.
    """

    source: str
    by_type: dict[str, dict[str, Thing]] = field(default_factory=dict)
    dates: dict[str, int] = field(default_factory=dict)

    def of(self, name: str) -> dict[str, Thing]:
        """Objects of one type by identifier."""
        return self.by_type.get(name, {})

    def add(self, thing: Thing) -> None:
        """Put one object in."""
        self.by_type.setdefault(thing.type, {})[thing.uid] = thing


def read_things(path: str | Path, *, specification: Specification) -> Things:
    """Read a JSONL file of objects; a mistake is named with file and line.

    An empty file gives no objects and is no mistake.
    """
    try:
        with open(path, encoding="utf-8") as file:
            return parse_things(_records(file, str(path)), specification=specification, source=str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} cannot be read: {error}. Give a JSONL file, one object per line.") from error


def parse_things(
    records: Iterable[tuple[int, Any]], *, specification: Specification, source: str = "objects"
) -> Things:
    """Check numbered records and make objects of them.

    >>> from mensura.catalog.detection.hypotheses.specification import Attribute, CaseType, Specification
    >>> attack = CaseType("Attack", case=True, attributes={"target": Attribute("target", "string")})
    >>> things = parse_things([(1, {"type": "Attack", "uid": "A", "target": "bridge"})],
    ...                       specification=Specification("small", {"Attack": attack}))
    >>> things.of("Attack")["A"].values
    {'target': ['bridge']}
    """
    parser = _Parser(specification, source)
    with collector_paused():
        for line, record in records:
            try:
                parser.add(line, record)
            except _Wrong as wrong:
                parser.problems.append(f"{source}, line {line}: {wrong}")
                if len(parser.problems) == _SHOWN:
                    break
    if parser.problems:
        raise BadFile("\n".join(parser.problems))
    return parser.things


class _Wrong(Exception):
    """What is wrong with one line; the caller adds where."""


def _records(lines: Iterable[str], source: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield number, loads(line)
        except (ValueError, RecursionError) as error:
            raise BadFile(f"{source}, line {number}: not JSON: {error}. Write one object per line.") from error


class _Parser:
    def __init__(self, specification: Specification, source: str) -> None:
        self.specification = specification
        self.things = Things(source)
        self.problems: list[str] = []

    def add(self, line: int, record: Any) -> None:
        if not isinstance(record, dict):
            raise _Wrong(f"expected an object in braces; got {shortened(record)}.")
        name: Any = record.get("type")
        if not isinstance(name, str) or name not in self.specification.types:
            near = get_close_matches(name, self.specification.types, n=1) if isinstance(name, str) else []
            hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(self.specification.types)}."
            raise _Wrong(
                f"the unknown type {shortened(name)}. {hint}" if name is not None else f"`type` is missing. {hint}"
            )
        self._object(self.specification.types[name], record, line=line, uid=_uid(record.get("uid")))

    def _object(self, kind: CaseType, record: Mapping[str, Any], *, line: int, uid: str) -> None:
        thing = Thing(
            type=kind.name,
            uid=uid,
            alternatives=self._alternatives(kind, record, line=line, uid=uid),
            line=line,
            confidence=_optional_number(record, "confidence"),
            costs=_costs(record, kind),
            submitted=self._submitted(record.get("submitted"), line),
        )
        before = self.things.of(kind.name).get(uid)
        if before is not None:
            if before.line == line and before.alternatives == thing.alternatives:
                return
            raise _Wrong(f"the {kind.name} {uid!r} is already on line {before.line}; identifiers must differ.")
        self.things.add(thing)

    def _alternatives(
        self, kind: CaseType, record: Mapping[str, Any], *, line: int, uid: str
    ) -> list[tuple[float, Values]]:
        shared = {key: value for key, value in record.items() if key not in _RESERVED and not key.startswith("_")}
        if "alternatives" not in record:
            return [(_probability(record.get("probability", 1.0)), self._values(kind, shared, line=line, uid=uid))]
        given = record["alternatives"]
        if not isinstance(given, list) or not given or not all(isinstance(each, dict) for each in given):
            raise _Wrong("`alternatives` is a list of objects, each with its `probability`.")
        alternatives = []
        for number, each in enumerate(given):
            content = {key: value for key, value in each.items() if key != "probability"}
            values = self._values(kind, {**shared, **content}, line=line, uid=f"{uid}/{number}")
            alternatives.append((_probability(each.get("probability")), values))
        total = sum(probability for probability, _ in alternatives)
        if total > 1 + 1e-9:
            raise _Wrong(f"probabilities of alternatives sum to {total:g}; at most 1 is possible.")
        return alternatives

    def _values(self, kind: CaseType, record: Mapping[str, Any], *, line: int, uid: str) -> Values:
        values: Values = {}
        for key, value in record.items():
            attribute = kind.attributes.get(key)
            if attribute is None:
                near = get_close_matches(key, kind.attributes, n=1)
                known = ", ".join(kind.attributes) or "no attributes"
                hint = f"Did you mean {near[0]}?" if near else f"{kind.name} has {known}."
                raise _Wrong(f"{kind.name} {uid!r} has the unknown attribute {key!r}. {hint}")
            if value is None:
                continue
            items = value if isinstance(value, list) else [value]
            if not attribute.many and len(items) > 1:
                raise _Wrong(f"{key} takes one value (`cardinality: 1`); got {len(items)}.")
            if attribute.scalar:
                read = [self._scalar(attribute, item, line) for item in items]
            else:
                # Most objects are named by a text, which needs no further look.
                read = [
                    item
                    if type(item) is str and item
                    else self._object_in(attribute, item, line=line, owner=uid, place=n)
                    for n, item in enumerate(items)
                ]
            # A case is a set of assertions: what is said twice counts once.
            if len(read) > 1:
                read = list(dict.fromkeys(read))
            if read:
                values[key] = read
        return values

    def _object_in(self, attribute: Attribute, value: Any, *, line: int, owner: str, place: int) -> str:
        if isinstance(value, str | int) and not isinstance(value, bool):
            return _uid(value)
        if not isinstance(value, dict):
            message = (
                f"{attribute.name} is a {attribute.domain}: give its identifier or the object; got {shortened(value)}."
            )
            raise _Wrong(message)
        if value.get("type", attribute.domain) != attribute.domain:
            raise _Wrong(f"{attribute.name} must be a {attribute.domain}; got a {value['type']}.")
        uid = _uid(value["uid"]) if "uid" in value else f"{owner}/{attribute.name}/{place}"
        if set(value) - {"type", "uid"}:
            self._object(self.specification.types[attribute.domain], value, line=line, uid=uid)
        elif "uid" not in value:
            raise _Wrong(f"the {attribute.domain} in {attribute.name} is empty; give its identifier or content.")
        return uid

    def _scalar(self, attribute: Attribute, value: Any, line: int) -> Any:
        """Check a scalar against its domain; dates become day numbers."""
        if attribute.domain == "string" and isinstance(value, str):
            return value
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and not isfinite(value):
            raise _Wrong(f"{attribute.name} must be finite; got {value}.")
        domain = attribute.domain
        if domain == "boolean" and isinstance(value, bool):
            return value
        if domain == "number" and number:
            return float(value)
        if domain == "integer" and number and float(value).is_integer():
            return int(value)
        if domain == "date" and (number or isinstance(value, str)):
            return self._date(value, attribute.name, line)
        raise _Wrong(f"{attribute.name} must be a {domain}; got {shortened(value)}.")

    def _date(self, value: float | str, name: str, line: int) -> float:
        self.things.dates.setdefault(CALENDAR if isinstance(value, str) else DAY_NUMBER, line)
        return _day(value, name) if isinstance(value, str) else float(value)

    def _submitted(self, value: Any, line: int) -> float | None:
        if isinstance(value, bool) or not isinstance(value, int | float | str | None):
            raise _Wrong(f"`submitted` is a date or a number; got {shortened(value)}.")
        return None if value is None else self._date(value, "submitted", line)


def _day(moment: str, name: str) -> float:
    try:
        read = datetime.fromisoformat(moment)
    except ValueError:
        raise _Wrong(f"{name} must be a date, a day number or YYYY-MM-DD; got {moment!r}.") from None
    return read.toordinal() + (read.hour * 3600 + read.minute * 60 + read.second) / 86400


def _uid(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise _Wrong(
            f"`uid` is text or a whole number; got {shortened(value)}." if value is not None else "`uid` is missing."
        )
    return str(value)


def _probability(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _Wrong(f"a `probability` lies between 0 and 1; got {shortened(value)}.")
    return float(value)


def _optional_number(record: Mapping[str, Any], key: str) -> float | None:
    value = record.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float | None) or not isfinite(value or 0):
        raise _Wrong(f"`{key}` is a number; got {shortened(value)}.")
    return None if value is None else float(value)


def _costs(record: Mapping[str, Any], kind: CaseType) -> Costs | None:
    given = record.get("costs")
    if given is None:
        return None
    if not isinstance(given, dict) or set(given) - {"false_positive", "false_negative"}:
        raise _Wrong(f"`costs` has the keys false_positive and false_negative; got {shortened(given)}.")
    numbers = {key: _optional_number(given, key) for key in given}
    for key, value in numbers.items():
        if value is None or value < 0:
            raise _Wrong(f"a cost is a number of at least 0; got {key}: {given[key]!r}.")
    return Costs(
        false_positive=numbers.get("false_positive", kind.costs.false_positive) or 0.0,
        false_negative=numbers.get("false_negative", kind.costs.false_negative) or 0.0,
    )
