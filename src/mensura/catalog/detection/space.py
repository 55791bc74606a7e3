"""The space of answers: a list of objects of the counter-terrorism specification."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.detection.hypotheses.naming import resolve
from mensura.catalog.detection.hypotheses.specification import Specification
from mensura.catalog.detection.hypotheses.specification_file import read_specification
from mensura.catalog.detection.hypotheses.things import CALENDAR, Thing, Things, parse_things
from mensura.catalog.detection.prompts import own_files
from mensura.catalog.detection.world.truth import ATTACK, GROUP, MODE, PERSON
from mensura.dialogue import Probability, Space
from mensura.dialogue.spaces.base import read_people_json
from mensura.errors import BadFile, Invalid
from mensura.json_file import loads


@lru_cache(maxsize=1)
def specification() -> Specification:
    """Return the specification that answers follow."""
    return read_specification("counter-terrorism")


@dataclass(frozen=True)
class Hypotheses(Space):
    """Hypothesised attacks, groups and persons; an empty list says that there is nothing to report.

    Names are I0, I1 and so on, targets T0, modes M0; `most` objects make one answer.
    """

    kind: ClassVar[str] = "detection-hypotheses"
    page: ClassVar[dict[str, Any]] = own_files("hypotheses", wide=True)
    names: int
    targets: int
    modes: int
    days: int
    most: int = 100_000

    def check(self, answer: Any) -> list[dict[str, Any]]:
        if not isinstance(answer, list | tuple):
            raise Invalid('Give a list of objects, each {"type": ..., "uid": ..., attributes ...}; [] for none.')
        if len(answer) > self.most:
            raise Invalid(f"Give at most {self.most} objects; got {len(answer)}.")
        try:
            json.dumps(answer)
            things = parse_things(enumerate(answer, 1), specification=specification(), source="answer")
            resolve(things, specification=specification(), background=_modes(self.modes))
        except BadFile as error:
            raise Invalid(str(error).replace("answer, line ", "Object ")) from None
        except (RecursionError, TypeError, ValueError) as error:
            raise Invalid(f"An answer is plain JSON, a few levels deep: {error}.") from None
        if CALENDAR in things.dates:
            raise Invalid(f"Object {things.dates[CALENDAR]}: dates are day numbers here, from 0 to {self.days - 1}.")
        return [dict(record) for record in answer]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "maxItems": self.most, "items": {"anyOf": [_schema(name) for name in _ANSWERED]}}

    def draw(self, rng: np.random.Generator) -> list[dict[str, Any]]:
        def names(count: int) -> list[str]:
            return [f"I{each}" for each in rng.choice(self.names, size=min(count, self.names), replace=False)]

        records = []
        for number in range(int(rng.integers(0, 6))):
            start, length = int(rng.integers(self.days)), int(rng.integers(10, 90))
            team = names(int(rng.integers(2, 6)))
            records.append(
                {
                    "type": ATTACK,
                    "uid": f"drawn-{number}",
                    "startingDate": start,
                    "endingDate": start + length,
                    "targetInExploitation": f"T{rng.integers(self.targets)}",
                    "modeInExploitation": f"M{rng.integers(self.modes)}",
                    "directingAgent": team[0],
                    "deliberateActors": team,
                    "confidence": float(rng.random()),
                }
            )
        return records

    def parse(self, form: Mapping[str, str]) -> list[dict[str, Any]]:
        """Read JSON, either a list or one object per line; people write confidence in percent."""
        text = form.get("answer", "").strip()
        if not text:
            return []
        try:
            listed = text.startswith("[")
            records = loads(text) if listed else [loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, TypeError, RecursionError) as error:
            raise Invalid(f"This is not JSON: {error}. Give a list of objects, or one object per line.") from None
        return [_from_percent(place, record) for place, record in enumerate(records, start=1)]

    @property
    def percent(self) -> bool:
        return True

    def hint(self) -> str:
        types = "; ".join(f"{name}: {', '.join(specification().types[name].attributes)}" for name in _ANSWERED)
        return f'A JSON list of objects {{"type", "uid", attributes}}, [] for none. {types}.'

    def hint_for_people(self) -> str:
        return f"{self.hint()} Write confidence in percent."


_ANSWERED = (ATTACK, GROUP, PERSON)


def _from_percent(place: int, record: Any) -> Any:
    if not isinstance(record, Mapping) or "confidence" not in record:
        return record
    try:
        return {**record, "confidence": read_people_json(Probability(), record["confidence"])}
    except Invalid as wrong:
        raise Invalid(f"Object {place}, confidence: {wrong}") from None


@lru_cache(maxsize=8)
def _modes(count: int) -> Things:
    things = Things("modes")
    for mode in range(count):
        things.add(Thing(MODE, f"M{mode}", [(1.0, {})], 0))
    return things


def _schema(name: str) -> dict[str, Any]:
    text, number = {"type": "string"}, {"type": "number"}
    properties: dict[str, Any] = {"type": {"const": name}, "uid": text, "confidence": number}
    for key, attribute in specification().types[name].attributes.items():
        one = number if attribute.domain == "date" else text
        properties[key] = {"type": "array", "items": one} if attribute.many else one
    return {"type": "object", "properties": properties, "required": ["type", "uid"]}
