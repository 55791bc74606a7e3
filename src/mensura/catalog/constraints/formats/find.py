"""Formats by the ending of a file: our JSON, pyDCOP's YAML, XML of FRODO and DisChoco, DIMACS."""

import re
from functools import lru_cache
from pathlib import Path

from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadData, BadFile, BadParameter
from mensura.json_file import loads
from mensura.text_file import read_text, write_text
from mensura.xml_file import read_xml

FILE = re.compile(r"(?P<path>.+\.(?:json|ya?ml|xml|col))(?::k=(?P<k>\d+))?", re.IGNORECASE | re.DOTALL)
FORMATS = ("json", "yaml", "frodo", "dischoco", "col")


def is_file(text: str) -> bool:
    """Say whether a text names a file: it ends in .json, .yaml, .xml or .col (then `:k=3` gives the colours)."""
    return FILE.fullmatch(text) is not None


def load(text: str) -> Problem:
    """Load a problem from a file, or say in a sentence what is wrong with it."""
    found = FILE.fullmatch(text)
    if found is None:
        raise BadFile(f"{text} does not end in .json, .yaml, .xml or .col.")
    path = Path(found["path"]).expanduser()
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}. Check the path.") from None
    return _load(path, int(found["k"]) if found["k"] else None, changed)


@lru_cache(maxsize=4)
def _load(path: Path, k: int | None, changed: int) -> Problem:
    """Load a file once for all sessions of a run, as long as it is not changed."""
    kind = path.suffix.lower()
    if k is not None and kind != ".col":
        raise BadParameter(f"{path}: only files in .col take a number of colours, k.")
    try:
        if kind == ".json":
            return _json(path)
        if kind == ".xml":
            from mensura.catalog.constraints.formats.xcsp_reading import problem_of

            return problem_of(read_xml(path), name=path.stem)
        if kind == ".col":
            from mensura.catalog.constraints.formats.dimacs import read_dimacs

            return read_dimacs(read_text(path), name=path.stem, k=k)
        from mensura.catalog.constraints.formats.pydcop import read_pydcop

        return read_pydcop(read_text(path), path)
    except (BadData, BadFile, BadParameter) as error:
        said = str(error)
        raise type(error)(said if said.startswith(str(path)) else f"{path}: {said}") from None


def text_of(problem: Problem, form: str) -> str:
    """Write a problem in a format: json, yaml (pyDCOP), frodo, dischoco or col (DIMACS)."""
    if form == "json":
        import json

        return json.dumps(problem.data(), ensure_ascii=False) + "\n"
    if form == "yaml":
        from mensura.catalog.constraints.formats.pydcop import write_pydcop

        return write_pydcop(problem)
    if form in ("frodo", "dischoco"):
        from mensura.catalog.constraints.formats.xcsp_writing import write_xcsp

        return write_xcsp(problem, dischoco=form == "dischoco")
    if form == "col":
        from mensura.catalog.constraints.formats.dimacs import write_dimacs

        return write_dimacs(problem)
    raise BadParameter(f"A problem is written as {', '.join(FORMATS)}; got {form!r}.")


def save(problem: Problem, path: Path, *, form: str | None = None) -> Path:
    """Save a problem, in the format of the file's ending unless one is named; .xml is FRODO's."""
    endings = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".xml": "frodo", ".col": "col"}
    if form is None and path.suffix.lower() not in endings:
        raise BadParameter(f"{path} does not end in {', '.join(endings)}; name a format.")
    return write_text(path, text_of(problem, form or endings[path.suffix.lower()]))


def _json(path: Path) -> Problem:
    import json

    try:
        data = loads(read_text(path))
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadFile(f"{path} is not JSON: {error}.") from None
    problem = Problem.read(data)
    return problem if problem.name else Problem.read({**data, "name": path.stem})
