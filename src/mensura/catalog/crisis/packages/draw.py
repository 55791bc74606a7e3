"""Draw a new package: other numbers within the bounds, so that packages differ and stay comparable."""

from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import Any

from mensura.catalog.crisis.packages.build import build
from mensura.catalog.crisis.packages.package import Package, Purpose
from mensura.catalog.crisis.world.data import read
from mensura.catalog.crisis.world.programme.titles import fields
from mensura.errors import BadFile

_TRIES = 20
_EARLIEST = date(2027, 1, 4)


def draw_package(
    *, seed: int, purpose: Purpose = "test", name: str = "", parameters: Mapping[str, Any] | None = None
) -> Package:
    """Draw a package that can be solved.

    Parameters
    ----------
    seed : int
        The same seed and purpose always give the same package; no world of one purpose is a world of another.
    parameters : mapping, optional
        Numbers that are fixed instead of drawn.

    Examples
    --------
    >>> draw_package(seed=7) == draw_package(seed=7)
    True
    """
    rng = Random(f"package {purpose} {seed}")
    for _ in range(_TRIES):
        said: dict[str, Any] = {
            "name": name or f"{purpose}-{seed}",
            "about": "Drawn by `mensura generate crisis`.",
            "purpose": purpose,
            "seed": seed,
            "first": _EARLIEST + timedelta(weeks=rng.randrange(150)),
            "parameters": {**_parameters(rng), **(parameters or {})},
        }
        package = read(Package, said, place=said["name"])
        try:
            build(package)
        except BadFile:
            continue
        return package
    raise BadFile(f"{name or purpose}: no package with these parameters can be solved; lose fewer rooms or blocks.")


def _parameters(rng: Random) -> dict[str, Any]:
    counts = {
        "room_facts": rng.randrange(12, 17),
        "event_facts": rng.randrange(10, 15),
        "availability": rng.randrange(9, 14),
        "preferences": rng.randrange(8, 13),
        "web": rng.randrange(11, 16),
        "queries": rng.randrange(8, 13),
        "orders": rng.randrange(4, 7),
    }
    noise = rng.randrange(36, 49)
    # As in the shipped packages: five messages in six bring one task, the others two; five come besides.
    signals = 5 + sum(counts.values()) - rng.randrange(12, 19)
    return {
        "field": rng.choice(fields()).name,
        "lost_rooms": rng.choice((8, 9, 9, 10)),
        "lost_blocks": rng.choice((6, 7, 7, 8)),
        "lost_from": rng.choice((2, 5, 7)),
        "held": round(rng.uniform(0.25, 0.34), 2),
        "messages": noise + signals,
        "noise": noise,
        **counts,
    }
