"""The comma-separated tables an exam names: attacks, sites, roads and regions."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.catalog.sensemaking.exam.regions import Regions
from mensura.catalog.sensemaking.exam.roads import Road, RoadNetwork
from mensura.errors import BadFile
from mensura.text_file import read_text


@dataclass(frozen=True, slots=True)
class FeatureVector:
    """One line of a table: values by lower-case column name; empty and `[]` mean none."""

    file: str
    line: int
    values: dict[str, str]

    def text(self, name: str) -> str:
        """Return a value that must be there."""
        value = self.optional(name)
        if value is None:
            raise BadFile(f"{self.file}, line {self.line}: column {name} is empty or missing.")
        return value

    def optional(self, name: str) -> str | None:
        """Return a value, or None where there is none."""
        value = self.values.get(name.lower(), "").strip()
        return None if value in ("", "[]") else value

    def number(self, name: str) -> float:
        """Return a value that must be a number."""
        text = self.text(name)
        value = finite(text)
        if value is None:
            raise BadFile(f"{self.file}, line {self.line}: column {name} should be a number, got {text!r}.")
        return value

    def place(self) -> GridPoint:
        """Return the row's X and Y."""
        return GridPoint(self.number("x"), self.number("y"))


def read_table(path: Path) -> list[FeatureVector]:
    """Read a table; header case, trailing commas, blank lines and a byte-order mark do not matter."""
    lines = csv.reader(_text(path).splitlines())
    header = [name.strip().lower() for name in next(lines, [])]
    if not any(header):
        raise BadFile(f"{path} is empty; it should begin with a header such as ObjectID,ObjectType,X,Y.")
    rows = []
    for number, cells in enumerate(lines, start=2):
        if not any(cell.strip() for cell in cells):
            continue
        if any(cell.strip() for cell in cells[len(header) :]):
            raise BadFile(f"{path}, line {number}: {len(cells)} values for {len(header)} columns.")
        rows.append(FeatureVector(path.name, number, {k: v for k, v in zip(header, cells, strict=False) if k}))
    return rows


def read_roads(path: Path) -> RoadNetwork:
    """Read a road table: points in order per road."""
    points: dict[str, list[GridPoint]] = {}
    for row in read_table(path):
        points.setdefault(row.text("objectid"), []).append(row.place())
    if not points:
        raise BadFile(f"{path} has no road points.")
    return RoadNetwork(tuple(Road(name, tuple(along)) for name, along in points.items()))


def read_regions(path: Path) -> Regions:
    """Read a region table: the owner of every grid cell."""
    header, *lines = _text(path).split() or [""]
    names = [name.strip().lower() for name in header.split(",")]
    try:
        at = [names.index(name) for name in ("x", "y", "socint")]
        cells = {(int(c[at[0]]), int(c[at[1]])): int(c[at[2]]) for c in (line.split(",") for line in lines)}
    except (ValueError, IndexError):
        raise BadFile(f"{path} should have columns X, Y, SOCINT with whole numbers on every line.") from None
    width, height = 1 + max(x for x, _ in cells), 1 + max(y for _, y in cells)
    if len(cells) != width * height or not set(cells.values()) <= {1, 2, 3, 4}:
        raise BadFile(f"{path} should give an owner from 1 to 4 for each of {width} x {height} cells.")
    return Regions(width, height, bytes(cells[x, y] for x in range(width) for y in range(height)))


def write_table(path: Path, header: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Write a table; None is written as `[]`, whole numbers without a point."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([_cell(value) for value in row] for row in rows)


def finite(text: str) -> float | None:
    """Read a number; None where the text is none, or not a finite one."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None


def write_roads(path: Path, network: RoadNetwork) -> None:
    """Write a road table."""
    points = ((road.name, "Road", *point) for road in network.roads for point in road.points)
    write_table(path, ("ObjectId", "ObjectType", "X", "Y"), points)


def write_regions(path: Path, regions: Regions) -> None:
    """Write a region table."""
    owners = regions.as_array()
    cells = ((x, y, int(owners[x, y])) for x in range(regions.width) for y in range(regions.height))
    write_table(path, ("X", "Y", "SOCINT"), cells)


def _cell(value: object) -> object:
    if value is None:
        return "[]"
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _text(path: Path) -> str:
    if not path.exists():
        raise BadFile(f"{path} is missing; the exam names it.")
    return read_text(path)
