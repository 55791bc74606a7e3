"""Data file: rows as JSON, CSV, Parquet or Arrow, read one after the other and as often as needed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mensura.catalog.bank.name import FILES
from mensura.errors import BadFile
from mensura.json_file import loads

Row = dict[str, Any]
Placed = tuple[str, Row]
"""Where a row stands, in words, and the row."""


@dataclass(frozen=True)
class DataFile:
    """Rows of one file; each kind of file says how it is read."""

    path: Path
    typed = True
    """Whether cells have types; in a CSV all are texts."""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        raise NotImplementedError

    @cached_property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Column → the names that its numbers stand for, where the file says so (ClassLabel)."""
        return {}

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[Placed]:
        """Yield the rows; only these columns where it is cheaper to leave out the others."""
        raise NotImplementedError


@dataclass(frozen=True)
class Rows:
    """The rows of several files, one after the other; a file without a column has nothing in it."""

    files: tuple[DataFile, ...]
    named: Mapping[str, tuple[str, ...]]
    """Column → names of its numbers, as the folder says."""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of all files."""
        return tuple(dict.fromkeys(column for file in self.files for column in file.columns))

    @cached_property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Column → the names that its numbers stand for."""
        return {**{column: names for file in self.files for column, names in file.labels.items()}, **self.named}

    @property
    def typed(self) -> bool:
        """Whether cells have types."""
        return all(file.typed for file in self.files)

    @property
    def places(self) -> tuple[str, ...]:
        """The full paths of the files."""
        return tuple(str(file.path.absolute()) for file in self.files)

    def read(self, columns: Sequence[str] | None = None) -> Iterator[Placed]:
        """Yield the rows of all files."""
        for file in self.files:
            yield from file.rows(columns)


def open_file(path: Path) -> DataFile:
    """Open a file by its ending; its content is read when it is asked for."""
    from mensura.catalog.bank.data.columnar import ArrowFile, ParquetFile
    from mensura.catalog.bank.data.text import CsvFile, JsonFile

    kinds: dict[str, Callable[[Path], DataFile]] = dict.fromkeys(FILES, JsonFile)
    kinds |= {".csv": CsvFile, ".tsv": CsvFile, ".parquet": ParquetFile, ".arrow": ArrowFile}
    try:
        path.stat()
    except OSError as error:
        raise unreadable(path, error) from None
    if path.suffix.lower() not in kinds:
        raise BadFile(f"{path} is not a file of rows. Give one that ends in {', '.join(FILES)}.")
    return kinds[path.suffix.lower()](path)


def unreadable(path: Path, error: OSError) -> BadFile:
    """Make the error for a file that cannot be read."""
    return BadFile(f"{path} cannot be read: {error.strerror}. Check the path.")


def class_labels(features: Any) -> dict[str, tuple[str, ...]]:
    """Find the names of numbered classes in what the `datasets` library writes of a file's features.

    >>> class_labels({"label": {"names": ["no", "yes"], "_type": "ClassLabel"}, "n": {"dtype": "int32"}})
    {'label': ('no', 'yes')}
    """
    found = features.items() if isinstance(features, Mapping) else ()
    return {
        column: tuple(map(str, feature["names"]))
        for column, feature in found
        if isinstance(feature, Mapping) and feature.get("_type") == "ClassLabel" and feature.get("names")
    }


def labels_in(metadata: str | bytes | None) -> dict[str, tuple[str, ...]]:
    """Find the names of classes in the metadata that the `datasets` library puts into a file."""
    try:
        return class_labels(loads(metadata or "{}")["info"]["features"])
    except (ValueError, KeyError, TypeError):
        return {}
