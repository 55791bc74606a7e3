"""Provenance: what a score came from, beside its instance: the packages of this installation."""

import platform
from functools import cache
from importlib import metadata

from mensura.dialogue.canonical import short_hash


@cache
def environment() -> dict[str, str]:
    """List the versions of Python and of every installed package, with the kind of machine."""
    packages = {
        f"{distribution.metadata['Name']}".lower(): distribution.version for distribution in metadata.distributions()
    }
    return {"python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}", **packages}


@cache
def environment_hash() -> str:
    """Hash the environment; printed beside every score together with the hash of the instance."""
    return short_hash(environment())
