"""Cases to score, made in bulk: references, and hypotheses that get a share of every value wrong. Simulated."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mensura.catalog.detection.hypotheses.specification import Attribute, CaseType, Specification
from mensura.catalog.detection.hypotheses.things import Things, parse_things
from mensura.scores.matching.credit import Credit

ATTACKS = Specification(
    "bench",
    {
        "Person": CaseType("Person", compare="uid"),
        "Attack": CaseType(
            "Attack",
            case=True,
            attributes={
                "group": Attribute("group", "string", 3),
                "target": Attribute("target", "string", 5),
                "date": Attribute("date", "date", 2, credit=Credit("curve", "linear", 10)),
                "actors": Attribute("actors", "Person", 1, many=True),
            },
        ),
    },
)
DENSE = {"groups": 5, "targets": 5, "people": 200, "days": 30}


def spread(size: int) -> dict[str, int]:
    """Values so many that two cases seldom share one."""
    return {"groups": max(2, size // 100), "targets": max(2, size // 10), "people": size, "days": 3650}


def make_cases(size: int, *, values: dict[str, int], wrong: float) -> Things:
    """Make cases; with the same size and values they speak of the same attacks."""
    records = enumerate(_records(size, values, wrong), 1)
    return parse_things(records, specification=ATTACKS, source="simulated")


def plain_cases(size: int, *, kinds: int, wrong: float) -> tuple[Things, Things]:
    """Make references with a target each and one of some groups, and hypotheses that get a share of either wrong."""
    rng = np.random.default_rng(7)
    group, target = rng.integers(kinds, size=size), np.arange(size)
    told = [np.where(rng.random(size) < wrong, rng.permutation(true), true) for true in (group, target)]
    first, second = (
        parse_things(
            enumerate(
                ({"type": "Attack", "uid": f"{side}{n}", "group": f"g{g}", "target": f"t{t}"} for n, g, t in rows), 1
            ),
            specification=ATTACKS,
            source="simulated",
        )
        for side, rows in (("r", zip(target, group, target, strict=True)), ("h", zip(target, *told, strict=True)))
    )
    return first, second


def _records(size: int, values: dict[str, int], wrong: float) -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng(7)
    columns = {name: rng.integers(most, size=size) for name, most in values.items() if name != "people"}
    people = rng.integers(values["people"], size=(size, 5))
    noise = np.random.default_rng(8)
    if wrong:
        for name in ("groups", "targets"):
            other = noise.random(size) < wrong
            columns[name][other] = noise.integers(values[name], size=int(other.sum()))
        columns["days"] = columns["days"] + noise.integers(-8, 9, size=size)
        other = noise.random(people.shape) < wrong
        people[other] = noise.integers(values["people"], size=int(other.sum()))
    side = "h" if wrong else "r"
    for number in range(size):
        yield {
            "type": "Attack",
            "uid": f"{side}{number}",
            "group": f"g{columns['groups'][number]}",
            "target": f"t{columns['targets'][number]}",
            "date": int(columns["days"][number]),
            "actors": [f"p{person}" for person in people[number]],
        }
