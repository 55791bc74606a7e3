"""Confinement: what a program or a file may see and reach while it takes a test."""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from mensura.errors import BadParameter

Sandbox = Literal["auto", "on", "off"]
BUBBLEWRAP = "bubblewrap"
ANOTHER_USER = "another user"
NOT_ISOLATED = "not isolated"
MEANS = (BUBBLEWRAP, ANOTHER_USER, NOT_ISOLATED)
"""How a program is kept apart from us, the best first."""


@dataclass(frozen=True)
class Confinement:
    """The files and networks that a program or a file may reach; nothing is open that is not named here.

    Parameters
    ----------
    sandbox
        "auto": in a sandbox where one works. "on": in a sandbox or not at all. "off": in none.
    allow
        Files and folders that are open for reading, besides the subject's own.
    network
        Whether it has the network of this machine.
    gpu
        Whether it has the graphics cards of this machine.
    pass_env
        Names of environment variables that it is given, besides PATH, LANG and HOME.
    hidden
        Files and folders that it must not see, wherever they lie; `allow` wins where it names the very same.
    means
        How the run began, one of `MEANS`; it goes on by no other. Empty: chosen here.
    """

    sandbox: Sandbox = "auto"
    allow: tuple[str, ...] = ()
    network: bool = False
    gpu: bool = False
    pass_env: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    means: str = ""

    def __post_init__(self) -> None:
        if self.sandbox not in get_args(Sandbox):
            raise BadParameter(f"A sandbox is auto, on or off; got {self.sandbox!r}.")
        for name in self.pass_env:
            if "=" in name or not name:
                raise BadParameter(f"--pass-env takes the name of a variable, not its value; got {name!r}.")

    @classmethod
    def read(cls, details: Mapping[str, Any]) -> "Confinement":
        """Read what the details of a run say of it."""
        said: dict[str, Any] = dict(details.get("confinement", {}))
        lists: dict[str, Any] = {name: tuple(value) for name, value in said.items() if isinstance(value, list)}
        return cls(**{**said, **lists})

    def as_json(self) -> dict[str, Any]:
        """Return what a run began with; what is hidden depends on where a session is taken."""
        said = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        del said["hidden"]
        return said

    def located(self) -> "Confinement":
        """Make the paths that are opened absolute, or raise a sentence for one that is not there."""
        for path in self.allow:
            if not Path(path).expanduser().exists():
                raise BadParameter(f"--allow {path}: there is no such file or folder.")
        return replace(self, allow=tuple(str(Path(path).expanduser().absolute()) for path in self.allow))

    def hiding(self, *paths: Path) -> "Confinement":
        """Hide more."""
        return replace(self, hidden=tuple(dict.fromkeys([*self.hidden, *map(str, paths)])))

    @property
    def masked(self) -> frozenset[Path]:
        """Return the hidden files, by real path, without those that were opened by name."""
        opened = {Path(path).resolve() for path in self.allow}
        return frozenset(
            place
            for place in (Path(path).resolve() for path in self.hidden)
            if not any(one.is_relative_to(place) for one in opened)
        )

    def environment(self, home: str) -> dict[str, str]:
        """Return the whole environment of a subject."""
        passed = {name: os.environ[name] for name in self.pass_env if name in os.environ}
        path, language = os.environ.get("PATH", os.defpath), os.environ.get("LANG", "C.UTF-8")
        return {"PATH": path, "LANG": language, **passed, "HOME": home}
