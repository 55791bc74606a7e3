"""Writing packages and worlds down as YAML that people can read and change."""

from typing import Any

import yaml

from mensura.catalog.crisis.packages.package import Package
from mensura.catalog.crisis.world.conference import FOUND, Conference


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Writes long texts as blocks."""


def _text(dumper: Any, words: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", words, style="|" if "\n" in words else None)


_Dumper.add_representer(str, _text)


def package_words(package: Package) -> str:
    """Write a package; what the linter found is stored beside it, not in it."""
    said = package.model_dump(mode="json", exclude_defaults=True, exclude={"found"})
    return _dump({"name": package.name, "purpose": package.purpose, **said, "first": str(package.first)})


def world_words(world: Conference) -> str:
    """Write a whole world; `find_package` reads it back."""
    return _dump(world.model_dump(mode="json", exclude_defaults=True, exclude=FOUND))


def _dump(said: dict[str, Any]) -> str:
    words: str = yaml.dump(said, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=120)
    return words
