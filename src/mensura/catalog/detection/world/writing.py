"""Writes a world to a folder: evidence, patterns, truth, baseline; the same world gives the same bytes."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.random import Generator

from mensura.catalog.detection.world.evidence import STATES
from mensura.catalog.detection.world.making import ThreatWorld
from mensura.catalog.detection.world.patterns import CONTEXTS, KINDS, as_data
from mensura.catalog.detection.world.tables import Columns, evidence_tables, truth_tables
from mensura.errors import BadFile
from mensura.yaml_file import parse_yaml

_WORDS = {name: ", ".join(words) for name, words in (("kinds", KINDS), ("contexts", CONTEXTS), ("states", STATES))}
ABOUT = parse_yaml((files(__package__) / "folder.yaml").read_text(encoding="utf-8").format(**_WORDS), "folder.yaml")


def write_world(world: ThreatWorld, *, folder: Path, rng: Generator) -> list[Path]:
    """Write everything and give the paths, evidence first.

    The folder may be handed to a detector after `truth` is taken out of it.
    """
    try:
        for name in ("evidence", "truth"):
            (folder / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"{folder} cannot be made: {error}. Give another folder with --out.") from error
    evidence = evidence_tables(world, rng)
    written = _write_tables(evidence, folder / "evidence", database=folder / "evidence" / "evidence.duckdb")
    written.append(_write_lines(world.truth.in_evidence, folder / "evidence" / "cases.jsonl"))
    patterns = yaml.safe_dump(as_data(left_out=world.hidden_methods), sort_keys=False, allow_unicode=True, width=110)
    written.append(_write(patterns, folder / "evidence" / "patterns.yaml"))
    specification = files("mensura.catalog.detection") / "specifications" / "counter_terrorism.yaml"
    written.append(_write(specification.read_text(encoding="utf-8"), folder / "specification.yaml"))
    written.append(_write_lines(world.truth.reference, folder / "truth" / "reference.jsonl"))
    written += _write_tables(truth_tables(world), folder / "truth")
    written.append(
        _write(json.dumps(world.parameters.as_json(), indent=1) + "\n", folder / "evidence" / "parameters.json")
    )
    written.append(_write(_readme(), folder / "README.md"))
    return written


def _write_tables(tables: dict[str, Columns], folder: Path, *, database: Path | None = None) -> list[Path]:
    import duckdb

    if database is not None:
        database.unlink(missing_ok=True)
    # One thread keeps the order of rows and of row groups, and so the bytes, the same.
    connection = duckdb.connect(str(database) if database else ":memory:", config={"threads": 1, "memory_limit": "1GB"})
    written = []
    try:
        for name, columns in tables.items():
            raw = {key: np.ascontiguousarray(getattr(column, "numbers", column)) for key, column in columns.items()}
            connection.register("raw", raw)
            shown = ", ".join(
                f'{column.sql(key)} AS "{key}"' if hasattr(column, "sql") else _plain(key, column)
                for key, column in columns.items()
            )
            path = folder / f"{name}.parquet"
            connection.execute(f'CREATE TABLE "{name}" AS SELECT {shown} FROM raw')
            place = str(path).replace("'", "''")
            connection.execute(f"COPY \"{name}\" TO '{place}' (FORMAT parquet, COMPRESSION zstd)")
            connection.unregister("raw")
            written.append(path)
    finally:
        connection.close()
    return [*written, database] if database else written


def _plain(name: str, column: Any) -> str:
    # However narrow numbers are kept in memory, files have one width.
    return f'"{name}"::BIGINT AS "{name}"' if np.issubdtype(column.dtype, np.integer) else f'"{name}"'


def _write_lines(records: list[dict[str, Any]], path: Path) -> Path:
    return _write("".join(json.dumps(record) + "\n" for record in records), path)


def _write(text: str, path: Path) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _readme() -> str:
    lines = [ABOUT["opening"].rstrip()]
    for folder in ("evidence", "truth"):
        for name, columns in ABOUT[folder].items():
            lines += ["", f"`{folder}/{name}.parquet`", ""]
            lines += [f"- `{column}`: {about}" for column, about in columns.items()]
    return "\n".join(lines) + "\n"
