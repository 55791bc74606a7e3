"""Extensions: what installed packages, ours among them, bring by entry points: tests, subjects, spaces, verbs ..."""

import ast
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from mensura.errors import BadExtension, MensuraError


def extensions(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by name, without importing what they name; ours win over others."""
    return _installed(group, tuple(sys.path))


def load(point: EntryPoint) -> Any:
    """Import what an entry point names, or raise one sentence that says whose it is and what is wrong."""
    try:
        return point.load()
    except MensuraError:
        raise
    except Exception as error:
        raise broken(point, f"importing it raised {type(error).__name__}: {error}") from error


def broken(point: EntryPoint, why: str) -> BadExtension:
    """Make the error for an entry point that does not give what its group promises."""
    package = point.dist.name if point.dist is not None else "a package"
    group = point.group.removeprefix("mensura.").removesuffix("s")
    return BadExtension(f"The {group} {point.name!r} of {package} cannot be used: {why}. Tell its authors.")


def about(point: EntryPoint) -> str:
    """Return the first line of the docstring of what an entry point names, read from its source, not imported.

    >>> about(extensions("mensura.tests")["coin-v1"])
    'Give the probability of heads for coins of known bias.'
    """
    return _documented(point.module, point.attr)


def _documented(module: str, name: str) -> str:
    try:
        tree = ast.parse(Path(_origin(module)).read_bytes())
    except (ImportError, OSError, SyntaxError, ValueError):
        return ""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return (ast.get_docstring(node) or "").partition("\n")[0]
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return _documented(node.module, alias.name)
    return ""


@cache
def _installed(group: str, path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Look through all installed packages once for each path: that takes tens of milliseconds."""
    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=group), key=lambda point: not point.value.startswith("mensura.")):
        found.setdefault(point.name, point)
    return found


def _origin(module: str) -> str:
    """Find the file of a module without importing the packages above it, which `importlib.util.find_spec` does."""
    path, spec, name = None, None, ""
    for part in module.split("."):
        name = f"{name}.{part}".lstrip(".")
        spec = next(filter(None, (finder.find_spec(name, path) for finder in sys.meta_path)), None)
        if spec is None:
            raise ModuleNotFoundError(name)
        path = spec.submodule_search_locations
    return str(spec.origin) if spec is not None else ""
