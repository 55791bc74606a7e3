"""Extensions: what installed packages, ours among them, bring by entry points: tests, subjects, spaces, verbs ..."""

import ast
import re
import sys
from functools import cache
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points, requires
from pathlib import Path
from typing import Any

from mensura.errors import BadExtension, MensuraError, MissingExtra


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
    node = _definition(point.module, point.attr)
    return "" if node is None else (ast.get_docstring(node) or "").partition("\n")[0]


def extra_of(point: EntryPoint) -> str:
    """Return the extra that a test declares to need, read from its source, not imported; "" where there is none.

    >>> extra_of(extensions("mensura.tests")["arcade-v1"]), extra_of(extensions("mensura.tests")["coin-v1"])
    ('arcade', '')
    """
    node = _definition(point.module, point.attr)
    calls = [one for one in getattr(node, "decorator_list", ()) if isinstance(one, ast.Call)]
    said = (word.value for call in calls for word in call.keywords if word.arg == "extra")
    return next((str(value.value) for value in said if isinstance(value, ast.Constant)), "")


def missing_extra(extra: str, *, what: str) -> MissingExtra | None:
    """Return the error that names the packages of one of our extras that are not installed; None where all are.

    >>> print(missing_extra("", what="Sessions of coin"))
    None
    """
    absent = [package for package in _extras().get(extra, ()) if not _is_installed(package)]
    return MissingExtra(what, package=" and ".join(absent), extra=extra) if absent else None


@cache
def _extras() -> dict[str, list[str]]:
    """Return the packages of each of our extras, as the installed metadata has them."""
    found: dict[str, list[str]] = {}
    try:
        declared = requires("mensura") or []
    except PackageNotFoundError:
        return {}
    for line in declared:
        if told := re.match(r"([\w.-]+).*;.*extra == ['\"]([\w.-]+)['\"]", line):
            found.setdefault(told[2], []).append(told[1])
    return found


def _is_installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


@cache
def _definition(module: str, name: str) -> ast.FunctionDef | ast.ClassDef | None:
    """Find what defines a name, where it is imported from elsewhere too."""
    try:
        tree = ast.parse(Path(_origin(module)).read_bytes())
    except (ImportError, OSError, SyntaxError, ValueError):
        return None
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return node
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return _definition(node.module, alias.name)
    return None


@cache
def _installed(group: str, path: tuple[str, ...]) -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in sorted(_brought(path).select(group=group), key=lambda point: not point.value.startswith("mensura.")):
        found.setdefault(point.name, point)
    return found


@cache
def _brought(path: tuple[str, ...]) -> Any:
    """Look through all installed packages once for each path, for all groups: that takes tens of milliseconds."""
    # Entry points of all groups are of another class before Python 3.12; of both, one can select.
    return entry_points()


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
