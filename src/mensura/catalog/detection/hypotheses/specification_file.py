"""Reads a specification from YAML and says, with file and line, what is wrong with it."""

from collections.abc import Hashable, Mapping
from difflib import get_close_matches
from importlib.resources import as_file, files
from math import isfinite
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

from mensura.catalog.detection.hypotheses.function import beside, load_function
from mensura.catalog.detection.hypotheses.located import Located
from mensura.catalog.detection.hypotheses.specification import (
    SCALARS,
    Attribute,
    CaseType,
    Costs,
    Precondition,
    Specification,
    Timeliness,
)
from mensura.errors import BadParameter
from mensura.scores.matching.credit import CURVES, SIMILARITIES, Credit

SHIPPED = ("counter-terrorism", "network-intrusion")

_TOP = ("name", "description", "pairing", "reading", "aliases", "force_uids", "types")
_TYPE = (
    *("case", "compare", "members", "open", "costs", "threshold", "conditions", "alerts", "attributes"),
    "description",
)
_ATTRIBUTE = (
    *("domain", "weight", "cardinality", "nominal_distance", "curve", "similarity", "function", "at_least"),
    *("pairing", "description"),
)
_CONDITIONS = ("overlap", "within", "same", "function")


def read_specification(path: str | Path) -> Specification:
    """Read a specification from a YAML file, or one of those shipped by its name.

    >>> specification = read_specification("counter-terrorism")
    >>> specification.cases
    ('ThreatIndividual', 'ThreatIndividualEC', 'ThreatGroup', 'VulnerabilityExploitationCase')
    """
    if str(path) in SHIPPED and not Path(path).exists():
        resource = files("mensura.catalog.detection") / "specifications" / f"{str(path).replace('-', '_')}.yaml"
        with as_file(resource) as shipped:
            return _Reader(Located(shipped)).specification()
    return _Reader(Located(Path(path))).specification()


class _Reader:
    def __init__(self, source: Located) -> None:
        self.source = source

    def specification(self) -> Specification:
        content = self._mapping(self.source.content, _TOP)
        types = self._mapping(content.get("types"), None, "types")
        if not types:
            raise self.source.error("a specification needs at least one type under `types`.", "types")
        for name in types:
            if name in SCALARS:
                raise self.source.error(f"{name!r} is a scalar domain; give the type another name.", "types", name)
        read = {name: self._type(name, body, types) for name, body in types.items()}
        if not any(kind.case for kind in read.values()):
            raise self.source.error("no type is a case; write `case: true` on at least one.", "types")
        options = {
            "pairing": self._choice(content, "pairing", ("global", "local"), "global"),
            "reading": self._choice(content, "reading", ("smooth", "crisp"), "smooth"),
            "aliases": self._choice(content, "aliases", ("classes", "reference"), "classes"),
            "force": self._flag(content, "force_uids", True),
        }
        name = str(content.get("name", self.source.path.stem))
        return Specification(name=name, types=self._leaves_first(read), **options)  # type: ignore[arg-type]

    def _type(self, name: str, body: Any, types: Mapping[str, Any]) -> CaseType:
        place = ("types", name)
        body = self._mapping(body if body is not None else {}, _TYPE, *place)
        attributes = {
            each: self._attribute(each, content, types, (*place, "attributes", each))
            for each, content in self._mapping(body.get("attributes") or {}, None, *place, "attributes").items()
        }
        compare = self._choice(body, "compare", ("content", "uid", "strict"), "content" if attributes else "uid", place)
        if compare == "content" and not any(attribute.weight > 0 for attribute in attributes.values()):
            message = f"all weights of {name} are zero, so nothing could be scored; leave one positive."
            raise self.source.error(message, *place, "attributes")
        members = body.get("members")
        if members is not None and not (members in attributes and attributes[members].many):
            message = f"`members` of {name} must name one of its attributes with `cardinality: many`; got {members!r}."
            raise self.source.error(message, *place, "members")
        return CaseType(
            name=name,
            case=self._flag(body, "case", False, place),
            compare=compare,  # type: ignore[arg-type]
            attributes=attributes,
            members=members,
            open=self._flag(body, "open", False, place),
            costs=self._costs(body, place),
            threshold=self._share(body, "threshold", place),
            conditions=self._conditions(body, attributes, place),
            timeliness=self._timeliness(body, attributes, place),
        )

    def _attribute(self, name: str, body: Any, types: Mapping[str, Any], place: tuple[Hashable, ...]) -> Attribute:
        body = self._mapping(body, _ATTRIBUTE, *place)
        domain = body.get("domain")
        if domain not in SCALARS and domain not in types:
            near = get_close_matches(str(domain), [*SCALARS, *types], n=1)
            hint = f"Did you mean {near[0]}?" if near else f"Take one of {', '.join(SCALARS)}, or a type of this file."
            raise self.source.error(f"{name} has the unknown domain {domain!r}. {hint}", *place, "domain")
        cardinality = body.get("cardinality", 1)
        if cardinality not in (1, "many") or cardinality is True:
            message = f"`cardinality` is 1 or many; got {cardinality!r}."
            raise self.source.error(message, *place, "cardinality")
        pairing = self._choice(body, "pairing", ("global", "local", None), None, place)
        return Attribute(
            name=name,
            domain=domain,
            weight=self._number(body, "weight", 1.0, place),
            many=cardinality == "many",
            credit=self._credit(body, domain, place),
            pairing=pairing,  # type: ignore[arg-type]
        )

    def _credit(self, body: Mapping[str, Any], domain: str, place: tuple[Hashable, ...]) -> Credit:
        given = [key for key in ("nominal_distance", "similarity", "function") if key in body]
        if len(given) > 1:
            raise self.source.error(f"give one of {', '.join(given)}, not several.", *place, given[1])
        needs = {"nominal_distance": ("number", "integer", "date"), "similarity": ("string",), "function": SCALARS}
        for key in given:
            if domain not in needs[key]:
                message = f"`{key}` is for {', '.join(needs[key])}; this attribute is {domain}."
                raise self.source.error(message, *place, key)
        at_least = self._share(body, "at_least", place) or 0.0
        if "nominal_distance" in body:
            nominal = self._number(body, "nominal_distance", 1.0, place)
            if nominal <= 0:
                raise self.source.error("`nominal_distance` must be positive.", *place, "nominal_distance")
            return Credit("curve", str(self._choice(body, "curve", tuple(CURVES), "linear", place)), nominal)
        if "curve" in body:
            raise self.source.error("`curve` needs a `nominal_distance`.", *place, "curve")
        if "similarity" in body:
            return Credit(
                "similarity", str(self._choice(body, "similarity", SIMILARITIES, "edit", place)), 1.0, at_least
            )
        if "function" in body:
            name = self._function(body, place)
            return Credit("function", name, 1.0, at_least, load_function(name))
        return Credit()

    def _function(self, body: Mapping[str, Any], place: tuple[Hashable, ...]) -> str:
        """The name of a function of the user's own, which must exist; a file is sought beside the specification."""
        name = beside(str(body["function"]), folder=self.source.path.parent)
        try:
            load_function(name)
        except BadParameter as error:
            raise self.source.error(str(error), *place, "function") from error
        return name

    def _costs(self, body: Mapping[str, Any], place: tuple[Hashable, ...]) -> Costs:
        costs = self._mapping(body.get("costs") or {}, ("false_positive", "false_negative"), *place, "costs")
        here = (*place, "costs")
        return Costs(self._number(costs, "false_positive", 1.0, here), self._number(costs, "false_negative", 1.0, here))

    def _conditions(
        self, body: Mapping[str, Any], attributes: Mapping[str, Attribute], place: tuple[Hashable, ...]
    ) -> tuple[Precondition, ...]:
        conditions = []
        for index, item in enumerate(body.get("conditions") or ()):
            here = (*place, "conditions", index)
            item = self._mapping(item, (*_CONDITIONS, "distance"), *here)
            kinds = [key for key in _CONDITIONS if key in item]
            if len(kinds) != 1:
                raise self.source.error(f"a condition is one of {', '.join(_CONDITIONS)}.", *here)
            kind = kinds[0]
            if kind == "function":
                conditions.append(Precondition("function", function=self._function(item, here)))
                continue
            named = item[kind] if isinstance(item[kind], list) else [item[kind]]
            if len(named) != (2 if kind == "overlap" else 1):
                expected = "two attributes, start and end" if kind == "overlap" else "one attribute"
                raise self.source.error(f"`{kind}` takes {expected}; got {named!r}.", *here)
            for each in named:
                if each not in attributes:
                    raise self.source.error(f"the condition names the unknown attribute {each!r}.", *here)
                if attributes[each].many:
                    raise self.source.error(f"a condition needs single values, and {each} takes many.", *here)
                if kind != "same" and attributes[each].domain not in ("number", "integer", "date"):
                    raise self.source.error(f"`{kind}` needs numbers or dates, and {each} is not.", *here)
            distance = self._number(item, "distance", 0.0, here)
            conditions.append(Precondition(kind, tuple(named), distance))  # type: ignore[arg-type]
        return tuple(conditions)

    def _timeliness(
        self, body: Mapping[str, Any], attributes: Mapping[str, Attribute], place: tuple[Hashable, ...]
    ) -> Timeliness | None:
        if "alerts" not in body:
            return None
        here = (*place, "alerts")
        alerts = self._mapping(body["alerts"], ("event", "full_lead", "curve"), *here)
        event: Any = alerts.get("event")
        if event not in attributes or attributes[event].domain not in ("number", "integer", "date"):
            raise self.source.error(f"`event` must name a date of this type; got {event!r}.", *here, "event")
        full = self._number(alerts, "full_lead", 1.0, here)
        if full <= 0:
            raise self.source.error("`full_lead` must be positive.", *here, "full_lead")
        curve = self._choice(alerts, "curve", ("linear", "step"), "linear", here)
        return Timeliness(event, full, curve)  # type: ignore[arg-type]

    def _leaves_first(self, types: Mapping[str, CaseType]) -> dict[str, CaseType]:
        ordered: dict[str, CaseType] = {}
        walking: list[str] = []

        def visit(name: str) -> None:
            if name in ordered:
                return
            if name in walking:
                circle = " → ".join([*walking[walking.index(name) :], name])
                raise self.source.error(f"types must not contain one another in a cycle: {circle}.", "types", name)
            walking.append(name)
            for attribute in types[name].attributes.values():
                if not attribute.scalar:
                    visit(attribute.domain)
            walking.pop()
            ordered[name] = types[name]

        for name in types:
            visit(name)
        return ordered

    def _mapping(self, content: Any, known: tuple[str, ...] | None, *place: Hashable) -> dict[str, Any]:
        if not isinstance(content, dict):
            where = ".".join(str(each) for each in place) or "the file"
            raise self.source.error(f"{where} must be a mapping of keys to values; got {shortened(content)}.", *place)
        for key in content:
            if not isinstance(key, str):
                raise self.source.error(f"names are text; got {key!r}. Put it in quotes.", *place, key)
            if known is not None and key not in known:
                near = get_close_matches(key, known, n=1)
                hint = f"Did you mean {near[0]}?" if near else f"Known here: {', '.join(known)}."
                raise self.source.error(f"unknown key {key!r}. {hint}", *place, key)
        return content

    def _number(self, body: Mapping[str, Any], key: str, default: float, place: tuple[Hashable, ...]) -> float:
        value = body.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
            raise self.source.error(f"`{key}` is a number of at least 0; got {value!r}.", *place, key)
        return float(value)

    def _share(self, body: Mapping[str, Any], key: str, place: tuple[Hashable, ...]) -> float | None:
        if key not in body:
            return None
        value = self._number(body, key, 0.0, place)
        if value > 1:
            raise self.source.error(f"`{key}` lies between 0 and 1; got {value}.", *place, key)
        return value

    def _flag(self, body: Mapping[str, Any], key: str, default: bool, place: tuple[Hashable, ...] = ()) -> bool:
        value = body.get(key, default)
        if not isinstance(value, bool):
            raise self.source.error(f"`{key}` is true or false; got {value!r}.", *place, key)
        return value

    def _choice(
        self,
        body: Mapping[str, Any],
        key: str,
        choices: tuple[str | None, ...],
        default: str | None,
        place: tuple[Hashable, ...] = (),
    ) -> str | None:
        value = body.get(key, default)
        if value not in choices:
            known = ", ".join(str(choice) for choice in choices if choice is not None)
            raise self.source.error(f"`{key}` is one of {known}; got {value!r}.", *place, key)
        return None if value is None else str(value)
