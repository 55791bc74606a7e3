"""Rows in columnar files: Parquet, and the Arrow files that the `datasets` library saves."""

import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

from mensura.catalog.bank.data.file import DataFile, Placed, labels_in
from mensura.errors import BadFile, MissingExtra

BATCH = 1000
"""Rows that are in memory at a time."""


@dataclass(frozen=True)
class ParquetFile(DataFile):
    """A Parquet file, read by duckdb."""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return tuple(name for name, *_ in self._ask("DESCRIBE SELECT * FROM read_parquet(?)"))

    @cached_property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        kept = self._ask("SELECT decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = 'huggingface'")
        return labels_in(next((value for (value,) in kept), None))

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[Placed]:
        names = [name for name in self.columns if columns is None or name in columns]
        chosen = ", ".join('"' + name.replace('"', '""') + '"' for name in names) or "NULL"
        for number, cells in enumerate(self._ask(f"SELECT {chosen} FROM read_parquet(?)"), start=1):
            yield f"{self.path}, row {number}", dict(zip(names, cells, strict=False))

    def _ask(self, query: str) -> Iterator[tuple[Any, ...]]:
        import duckdb

        try:
            with duckdb.connect(config={"threads": 1}) as connection:
                found = connection.execute(query, [glob.escape(str(self.path))])
                while rows := found.fetchmany(BATCH):
                    yield from rows
        except duckdb.Error as error:
            said = str(error).splitlines()[0]
            raise BadFile(f"{self.path} cannot be read as Parquet: {said}. Write the file again.") from None


@dataclass(frozen=True)
class ArrowFile(DataFile):
    """An Arrow file as `Dataset.save_to_disk` writes it: a stream of batches."""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        with self._stream() as stream:
            return tuple(stream.schema.names)

    @cached_property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        with self._stream() as stream:
            return labels_in((stream.schema.metadata or {}).get(b"huggingface"))

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[Placed]:
        names = [name for name in self.columns if columns is None or name in columns]
        numbers = count(1)
        with self._stream() as stream:
            for batch in self._batches(stream):
                for row in batch.select(names).to_pylist():
                    yield f"{self.path}, row {next(numbers)}", row

    def _batches(self, stream: Any) -> Iterator[Any]:
        try:
            yield from stream
        except (ValueError, OSError) as error:  # What pyarrow raises are kinds of these.
            raise self._broken(error) from None

    def _stream(self) -> Any:
        try:
            import pyarrow
        except ImportError:
            raise MissingExtra("Folders of Arrow files", package="pyarrow", extra="datasets") from None
        try:
            # Mapped, not read: what is in memory is one batch, however large the file is.
            return pyarrow.ipc.open_stream(pyarrow.memory_map(str(self.path)))
        except (ValueError, OSError) as error:
            raise self._broken(error) from None

    def _broken(self, error: Exception) -> BadFile:
        said = str(error).splitlines()[0].rstrip(".")
        return BadFile(f"{self.path} cannot be read as an Arrow stream: {said}. Save the dataset again.")
