"""What a detector knows so far: the briefing, and all reports up to today, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.detection.world.patterns import KINDS
from mensura.json_file import parse_json, read_json
from mensura.text_file import read_text

Integers = NDArray[np.int64]
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sightings:
    """Sightings as arrays; names and targets are numbers, assets positions in `Picture.assets`, -1 is unknown."""

    day: Integers
    kind: Integers
    actor: Integers
    other: Integers
    item: Integers
    target: Integers

    def of(self, *kinds: str) -> Integers:
        """Return positions of the reports of some kinds."""
        return np.flatnonzero(np.isin(self.kind, [KINDS.index(kind) for kind in kinds]))

    def of_kind(self, part: Integers, *kinds: str) -> NDArray[np.bool_]:
        """Return which of some positions are reports of some kinds."""
        return np.isin(self.kind[part], [KINDS.index(kind) for kind in kinds])


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything a detector may use.

    `needs[m]` is the set of assets of mode ``m``, `destructive` the modes that destroy, `open_to[t]` the modes that
    target ``t`` supports, `cases` the objects already in evidence, and `shares` the parts of an exploitation's time
    given to its phases.
    """

    assets: dict[str, int]
    needs: dict[int, frozenset[int]]
    destructive: frozenset[int]
    open_to: dict[int, frozenset[int]]
    names: int
    cases: Sequence[Mapping[str, Any]]
    days_mean: float
    applying_share: float
    reports: Sightings

    @classmethod
    def from_tables(
        cls,
        tables: Mapping[str, Mapping[str, Sequence[Any]]],
        *,
        rows: Sequence[Sequence[Any]],
        cases: Sequence[Mapping[str, Any]],
        parameters: Mapping[str, float],
    ) -> "Picture":
        """Make a picture from the tables of a briefing and rows of reports."""
        modes, targets = tables["modes"], tables["targets"]
        assets = {name: place for place, name in enumerate(sorted(set(modes["asset"])))}
        needs: dict[int, set[int]] = {}
        for mode, asset in zip(modes["mode"], modes["asset"], strict=True):
            needs.setdefault(_number(mode), set()).add(assets[asset])
        destructive = {_number(mode) for mode, flag in zip(modes["mode"], modes["destructive"], strict=True) if flag}
        open_to: dict[int, set[int]] = {}
        for target, mode in zip(targets["target"], targets["mode"], strict=True):
            open_to.setdefault(_number(target), set()).add(_number(mode))
        return cls(
            assets=assets,
            needs={mode: frozenset(need) for mode, need in needs.items()},
            destructive=frozenset(destructive),
            open_to={target: frozenset(supported) for target, supported in open_to.items()},
            names=len(tables["names"]["name"]),
            cases=cases,
            days_mean=parameters["exploitation_days_mean"] / (parameters["pace"] * parameters["threat_pace"]),
            applying_share=parameters["applying_share"],
            reports=_reports(rows, assets),
        )

    @classmethod
    def from_folder(cls, folder: Path) -> "Picture":
        """Read the evidence that `mensura generate detection` wrote."""

        import duckdb

        def table(name: str) -> dict[str, list[Any]]:
            with duckdb.connect() as connection:
                found = connection.read_parquet(str(folder / "evidence" / f"{name}.parquet"))
                columns = list(zip(*found.fetchall(), strict=True)) or [()] * len(found.columns)
                return {key: list(column) for key, column in zip(found.columns, columns, strict=True)}

        tables = {name: table(name) for name in ("modes", "targets", "names")}
        reports = table("transactions")
        listed = folder / "evidence" / "cases.jsonl"
        cases = [parse_json(line, listed) for line in read_text(listed).splitlines()]
        parameters = read_json(folder / "evidence" / "parameters.json")
        rows = list(zip(*reports.values(), strict=True))
        return cls.from_tables(tables, rows=rows, cases=cases, parameters=parameters)


def _reports(rows: Sequence[Sequence[Any]], assets: Mapping[str, int]) -> Sightings:
    kinds = {kind: place for place, kind in enumerate(KINDS)}
    size = len(rows)

    def column(place: int, read: Any) -> Integers:
        return np.fromiter((read(row[place]) for row in rows), np.int64, size)

    return Sightings(
        day=column(2, int),
        kind=column(3, kinds.__getitem__),
        actor=column(4, _number),
        other=column(5, _number),
        item=column(6, lambda item: assets.get(item, -1)),
        target=column(7, _number),
    )


def _number(name: str | None) -> int:
    return -1 if name is None else int(name[1:])
