"""Find a package: one that is shipped, by its name, or any YAML file."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

from mensura.catalog.crisis.packages.lint_result import LintResult, beside
from mensura.catalog.crisis.packages.package import Package
from mensura.catalog.crisis.world.data import read
from mensura.errors import BadFile, unknown
from mensura.json_file import loads
from mensura.text_file import read_text
from mensura.yaml_file import parse_yaml

SHIPPED = files(__package__) / "shipped"


@cache
def shipped() -> tuple[str, ...]:
    """Name the packages that come with the program.

    >>> "crisis-1" in shipped()
    True
    """
    return tuple(sorted(path.name.removesuffix(".yaml") for path in SHIPPED.iterdir() if path.name.endswith(".yaml")))


PackageName = Annotated[
    str, f"The crisis that is to be solved: {', '.join(shipped())}, or a YAML file of a package of your own."
]


def find_package(name_or_path: str) -> Package:
    """Read a package.

    Parameters
    ----------
    name_or_path : str
        A name such as ``crisis-1``, or the path of a file: a package, or a whole world written out by
        ``mensura generate crisis --world``.

    Examples
    --------
    >>> find_package("crisis-1").purpose
    'test'
    """
    if name_or_path in shipped():
        return _with_found(_parse_shipped(name_or_path), SHIPPED / beside(f"{name_or_path}.yaml"))
    path = Path(name_or_path)
    if path.suffix not in (".yaml", ".yml", ".json"):
        raise unknown(
            "package", name_or_path, known=shipped(), see=f"There are {', '.join(shipped())}, or a YAML file."
        )
    return _with_found(parse(read_text(path), place=name_or_path), path.with_name(beside(path.name)))


def _parse_shipped(name: str) -> Package:
    return parse((SHIPPED / f"{name}.yaml").read_text(encoding="utf-8"), place=f"{name}.yaml")


def _with_found(package: Package, path: Traversable) -> Package:
    if package.found is not None or not path.is_file():
        return package
    try:
        said = loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise BadFile(f"{path.name} is not JSON; let the linter write it again, or remove it.") from None
    return package.model_copy(update={"found": read(LintResult, said, place=path.name)})


def parse(words: str, *, place: str) -> Package:
    """Check the words of a package file, or of a world file."""
    said = parse_yaml(words, place)
    if not isinstance(said, dict):
        raise BadFile(f"{place} holds no package: expected names with values, such as `seed: 7`.")
    if "rooms" in said and "letters" in said:
        given = {key: said[key] for key in ("name", "purpose", "seed") if key in said}
        return read(Package, {**given, "world": said}, place=place)
    return read(Package, said, place=place)
