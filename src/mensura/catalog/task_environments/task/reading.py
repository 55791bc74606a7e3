"""Reading tasks from JSON, and the schema of what can be read."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from mensura.catalog.task_environments.task.task import Task
from mensura.errors import BadFile, BadParameter
from mensura.json_file import loads


def read_task(source: str | Path | Mapping[str, Any]) -> Task:
    """Read a task from a JSON file or from what one holds."""
    from pydantic import ValidationError

    from mensura.catalog.task_environments.oracle.solvable import refuse_unsolvable

    where = "The task"
    if not isinstance(source, Mapping):
        where, path = str(source), Path(source)
        try:
            source = loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise BadFile(f"{path} cannot be read: {error.strerror}.") from None
        except ValueError as error:
            raise BadFile(f"{path} is not JSON: {error}.") from None
    try:
        task: Task = _adapter().validate_python(source)
    except ValidationError as error:
        raise BadParameter(f"{where}: {_sentence(error)}") from None
    refuse_unsolvable(task)
    return task


@cache
def task_schema() -> dict[str, Any]:
    """Return the JSON Schema of a task."""
    schema: dict[str, Any] = _adapter().json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


@cache
def _adapter() -> Any:
    # Pydantic takes a while to import, and only those who read files need it.
    from pydantic import TypeAdapter

    return TypeAdapter(Task)


def _sentence(error: Any) -> str:
    """Return the first thing that is wrong, with its place and what stands there."""
    first = error.errors()[0]
    # Classes and types that pydantic tried are no part of the place that a person looks for.
    place = ".".join(str(part) for part in first["loc"] if str(part) not in ("float", "str", "Range")) or "the whole"
    known = {"missing": "is missing", "missing_argument": "is missing", "unexpected_keyword_argument": "is not known"}
    words = known.get(first["type"]) or "cannot be read: " + first["msg"][0].lower() + first["msg"][1:]
    got = "" if "missing" in words else f"; got {first['input']!r}"
    return f"{place} {words}{got}."
