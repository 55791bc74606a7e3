"""Naming: which subject a name means, as in `--as ./mine.py:respond`."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from typing import Any

from mensura.dialogue import Test
from mensura.errors import BadParameter, UnknownName, unknown
from mensura.subjects.callable import as_subject
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.source import Source
from mensura.subjects.subject import Subject

GROUP = "mensura.subjects"
"""Entry points of other packages that bring subjects."""
WHOLE = ("chance", "terminal")
"""Names that say all; the module of the same name makes the subject."""
PREFIXES = {
    "constant": "constant",
    "program": "program",
    "tcp": "tcp",
    "http": "http",
    "https": "http",
    "llm": "language_model",
    "policy": "policy",
    "recorded": "recorded",
    "team": "team",
    "assisted": "assisted",
}
"""Names that go on after a colon, and the module whose `named` reads the rest."""
SETTINGS = re.compile(r"(#[A-Za-z_]\w*=[^#()]*)+$")
Factory = Callable[[], Subject]


@dataclass(frozen=True)
class Naming:
    """What a name is read with: the test it is for, options, limits, what programs may see and reach, and the folder
    that files are meant from.

    Each kind of subject has a function `named(rest, naming=...)` beside it that reads what follows the prefix.
    """

    test: Test
    options: Mapping[str, Any] = field(default_factory=dict)
    bounds: Bounds = field(default_factory=Bounds)
    folder: str = "."
    name: str = ""
    confinement: Confinement = field(default_factory=Confinement)

    def find(self, name: str) -> Factory:
        """Find what makes the subject of a name, or raise the nearest names."""
        naming, plain = self.read(name)
        return naming._find(plain)

    def read(self, name: str) -> "tuple[Naming, str]":
        """Take brackets and options off a name; the naming given back holds the options."""
        plain, settings = split_settings(_bare(name.strip()))
        return (self.with_options({**self.options, **settings}) if settings else self), plain

    def sort_of(self, name: str) -> str:
        """Say what sort of name it is: "reference", "file", "module", "entry point", a word of its own or a prefix.

        Empty where it is none.
        """
        kind, found, rest = name.partition(":")
        if name in self.test.subjects:
            return "reference"
        if name in ("human", *WHOLE) or (found and kind in PREFIXES):
            return kind
        if found and rest.rpartition(":")[2] and (kind.endswith(".py") or ".py:" in name):
            return "file"
        if not name.endswith(".py") and name in _entry_points():
            return "entry point"
        return "module" if found and all(part.isidentifier() for part in kind.split(".")) else ""

    def _find(self, name: str) -> Factory:
        sort = self.sort_of(name)
        if sort == "reference":
            return lambda: as_subject(self.test.subjects[name], options=self.options)
        if sort == "human":
            raise UnknownName(
                "A person answers on pages: `mensura take NAME --as human` opens them. To answer here: --as terminal"
            )
        if sort in WHOLE or sort in PREFIXES:
            module = import_module(f"mensura.subjects.{PREFIXES.get(sort, sort)}")
            return module.named(name.partition(":")[2], naming=replace(self, name=name))  # type: ignore[no-any-return]
        if sort == "file":
            return self._from_file(name)
        if name.endswith(".py"):
            raise BadParameter(f"Say which function or class of {name} is the subject: {name}:respond")
        if sort == "entry point":
            brought = _entry_points()[name]
            return lambda: as_subject(brought.load(), options=self.options)
        if sort == "module":
            return self._from_module(name)
        raise self._unknown(name)

    def allow(self, *names: str) -> dict[str, Any]:
        """Give the options, or raise a sentence for one that this kind of subject does not have."""
        for option in self.options:
            if option not in names:
                see = f"It has {', '.join(names) or 'none'}."
                raise BadParameter(str(unknown("option of this subject", option, known=names, see=see)))
        return dict(self.options)

    def with_options(self, options: Mapping[str, Any]) -> "Naming":
        """Read a member's name with options of its own; those on limits replace the group's."""
        bounds, rest = split_options(options)
        return replace(self, options=rest, bounds=replace(self.bounds, **bounds))

    def _from_file(self, name: str) -> Factory:
        from mensura.subjects.outside.hosted import Hosted

        source = Source.read(name, folder=self.folder)
        source.check()
        options = dict(self.options)
        if options.pop("in_process", False):
            return lambda: as_subject(source.load(), options=options)
        bounds, confinement = self.bounds, self.confinement
        return lambda: Hosted(
            source, name=name, bounds=bounds, confinement=confinement, options=options, test=self.test.id
        )

    def _from_module(self, name: str) -> Factory:
        source = Source.read(name)
        try:
            thing = source.load()
        except ModuleNotFoundError as error:
            if error.name is None or not source.place.startswith(error.name):
                raise
            raise self._unknown(name) from None
        return lambda: as_subject(thing, options=self.options)

    def _unknown(self, name: str) -> UnknownName:
        known = [*self.test.subjects, *WHOLE, *PREFIXES, *_entry_points()]
        see = (
            f"There are {', '.join(known)}; a file is named ./mine.py:respond, a program program:node agent.js, "
            "a server tcp://host:port or http://host/path."
        )
        return unknown("subject", name, known=known, see=see)


def split_options(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Part options into those on limits and the rest."""
    known = {part.name for part in fields(Bounds)}
    bounds = {name: value for name, value in options.items() if name in known}
    return bounds, {name: value for name, value in options.items() if name not in known}


def split_settings(name: str) -> tuple[str, dict[str, Any]]:
    """Part a name from the options written behind it; values are JSON, or text where they are none.

    >>> split_settings("./mine.py:Mind#bias=0.3#mood=calm")
    ('./mine.py:Mind', {'bias': 0.3, 'mood': 'calm'})
    """
    found = SETTINGS.search(name)
    if found is None or name.startswith("constant:"):
        return name, {}
    pairs = [setting.split("=", 1) for setting in found[0].split("#")[1:]]
    return name[: found.start()], {key: _value(text) for key, text in pairs}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def split_names(text: str, separator: str) -> list[str]:
    """Split names at a separator that stands outside all brackets.

    >>> split_names("chance,team:mean(a,b),c", ",")
    ['chance', 'team:mean(a,b)', 'c']
    """
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            break
        if sign == separator and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    if depth != 0:
        raise BadParameter(f"The brackets in {text!r} do not match.")
    return [part.strip() for part in [*parts, text[start:]]]


def _bare(name: str) -> str:
    """Take off brackets that hold a whole name."""
    while name.startswith("(") and name.endswith(")") and _closes_at_end(name):
        name = name[1:-1].strip()
    return name


def _closes_at_end(name: str) -> bool:
    depth = 0
    for place, sign in enumerate(name):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return place == len(name) - 1
    return False


def _entry_points() -> dict[str, Any]:
    # Costs more to import than all the rest of this file.
    from importlib import metadata

    return {entry.name: entry for entry in metadata.entry_points(group=GROUP)}
