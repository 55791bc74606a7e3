"""The lock file names a version of everything that development installs, and no place to fetch it from."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


def declared():
    """Return what `make` installs for development: the default, the extras it names, and the group dev."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]
    named = re.search(r"^EXTRAS := (.*)$", (ROOT / "Makefile").read_text(), re.M)[1].split(",")
    lines = list(project["project"]["dependencies"])
    while named:
        for line in extras[named.pop()]:
            requirement = Requirement(line)
            if requirement.name == "mensura":
                named += requirement.extras
            else:
                lines.append(line)
    waiting = ["dev"]
    while waiting:
        for entry in groups[waiting.pop()]:
            if isinstance(entry, str):
                lines.append(entry)
            else:
                waiting.append(entry["include-group"])
    return [Requirement(line) for line in lines]


def locked():
    lines = [line for line in (ROOT / "dev.lock").read_text().splitlines() if not line.startswith("#")]
    pins = [Requirement(line) for line in lines]
    assert all(re.fullmatch(r"==[\w.+!]+", str(pin.specifier)) for pin in pins)
    found = {}
    for pin in pins:
        found.setdefault(canonicalize_name(pin.name), []).append(str(pin.specifier).removeprefix("=="))
    return found


def test_every_package_of_development_has_a_version_that_is_allowed():
    known = locked()
    wrong = [
        str(requirement)
        for requirement in declared()
        if not any(version in requirement.specifier for version in known.get(canonicalize_name(requirement.name), ()))
    ]
    assert not wrong, "run `make lock`"


def test_it_names_no_place_to_fetch_from():
    assert not re.search(r"://|--(extra-)?index|--find-links|@", (ROOT / "dev.lock").read_text())
