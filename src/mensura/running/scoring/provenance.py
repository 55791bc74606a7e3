"""Provenance: what a score came from, beside its instance: the packages of this installation."""

import platform
from email import message_from_string
from functools import cache
from importlib import metadata

from mensura.dialogue.canonical import short_hash


@cache
def environment() -> dict[str, str]:
    """List the versions of Python and of every installed package, with the kind of machine."""
    packages = dict(map(_named, metadata.distributions()))
    return {"python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}", **packages}


def _named(distribution: metadata.Distribution) -> tuple[str, str]:
    """Return the name and the version of a package; of its description, which may be long, only the head is read."""
    text = distribution.read_text("METADATA")
    about = distribution.metadata if text is None else message_from_string(text.partition("\n\n")[0])
    return f"{about['Name']}".lower(), about["Version"]


@cache
def environment_hash() -> str:
    """Hash the environment; printed beside every score together with the hash of the instance."""
    return short_hash(environment())
