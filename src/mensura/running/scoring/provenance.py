"""Provenance: what a score came from, beside its instance: the packages of this installation."""

import platform
import re
from functools import cache
from importlib import metadata

from mensura.dialogue.canonical import short_hash


@cache
def environment() -> dict[str, str]:
    """List the versions of Python and of every installed package, with the kind of machine."""
    packages = dict(map(_named, metadata.distributions()))
    return {"python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}", **packages}


def _named(distribution: metadata.Distribution) -> tuple[str, str]:
    """Return the name and the version of a package, which are lines of their own in the head of its metadata.

    To parse the heads of all packages would take a tenth of the time of a small run.
    """
    head = (distribution.read_text("METADATA") or "").partition("\n\n")[0]
    name, version = (re.search(rf"^{field}: *(.*\S)", head, re.MULTILINE) for field in ("Name", "Version"))
    if name is None or version is None:
        return f"{distribution.metadata['Name']}".lower(), distribution.metadata["Version"]
    return name[1].lower(), version[1]


@cache
def environment_hash() -> str:
    """Hash the environment; printed beside every score together with the hash of the instance."""
    return short_hash(environment())
