"""Naming: which subject a name means, as in `--as ./mine.py:respond`."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Test
from mensura.errors import BadParameter, UnknownName, unknown
from mensura.extension import broken, extensions, load
from mensura.json_file import loads
from mensura.subjects.callable import as_subject, takes
from mensura.subjects.model.cost.spending import Spending
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.source import Source
from mensura.subjects.subject import Subject
from mensura.subjects.tools.steward import Steward

if TYPE_CHECKING:
    from mensura.subjects.model.reaching.probe import Contact

GROUP = "mensura.subjects"
"""Entry points, ours and those of other packages: a subject, or a function `named(rest, *, naming)` that reads what
follows the name and a colon and returns what makes the subject."""
OURS = {
    "chance": "chance:Chance",
    "terminal": "terminal:Terminal",
    "constant": "constant:named",
    "program": "outside.program:named",
    "tcp": "outside.tcp:named",
    "http": "outside.http:named",
    "https": "outside.http:named",
    "llm": "model.language_model:named",
    "policy": "policy:named",
    "recorded": "recorded:named",
    "team": "team:named",
    "assisted": "assisted:named",
    "solve": "solver.solver:named",
    "fault": "fault.fault:named",
}
"""The entries of this package, in the same form; found without looking through what is installed."""
NESTED = r"[^()]*"
for _ in range(3):
    NESTED = rf"(?:[^()]|\({NESTED}\))*"
SETTING = rf"#([A-Za-z_]\w*)=((?:[^#()]|\({NESTED}\))*)"
"""An option behind a name; its value may hold another name with options, in brackets."""
SETTINGS = re.compile(rf"({SETTING})+$")
Factory = Callable[[], Subject]


@dataclass(frozen=True)
class Naming:
    """The context of a name: the test it is for, options, limits, what programs may see and reach, how models are
    paid, and the folder that files are meant from.
    """

    test: Test
    options: Mapping[str, Any] = field(default_factory=dict)
    bounds: Bounds = field(default_factory=Bounds)
    folder: str = "."
    name: str = ""
    confinement: Confinement = field(default_factory=Confinement)
    spending: Spending = field(default_factory=Spending)
    steward: Steward | None = None
    """The services of a run for its models; None where there is no run."""
    contacts: "list[Contact] | None" = None
    """Where language models that are named put down how they are reached; None: nobody wants to know."""

    def find(self, name: str) -> Factory:
        """Find what makes the subject of a name, or raise the nearest names."""
        naming, plain = self.read(name)
        return naming._find(plain)

    def read(self, name: str) -> "tuple[Naming, str]":
        """Take brackets and options off a name; the naming given back holds the options."""
        plain, settings = split_settings(_bare(name.strip()))
        return (self.with_options({**self.options, **settings}) if settings else self), plain

    def sort_of(self, name: str) -> str:
        """Return what sort of name it is: "reference", "file", "module", "entry point", a word of its own or a prefix.

        Empty where it is none.
        """
        kind, found, rest = name.partition(":")
        if name in self.test.subjects or (found and kind in self.test.subjects):
            return "reference"
        if name == "human":
            return name
        if kind in OURS:
            return kind
        if found and rest.rpartition(":")[2] and (kind.endswith(".py") or ".py:" in name):
            return "file"
        if kind in extensions(GROUP):
            return "entry point"
        return "module" if found and all(part.isidentifier() for part in kind.split(".")) else ""

    def _find(self, name: str) -> Factory:
        sort = self.sort_of(name)
        if sort == "reference":
            return self._reference(name)
        if sort == "human":
            raise UnknownName(
                "A person answers on pages: `mensura take NAME --as human` opens them. To answer here: --as terminal"
            )
        kind = name.partition(":")[0]
        if sort in OURS:
            return self._brought(EntryPoint(kind, f"mensura.subjects.{OURS[kind]}", GROUP), name)
        if sort == "entry point":
            return self._brought(extensions(GROUP)[kind], name)
        if sort == "file":
            return self._from_file(name)
        if name.endswith(".py"):
            raise BadParameter(f"Say which function or class of {name} is the subject: {name}:respond")
        if sort == "module":
            return self._from_module(name)
        raise self._unknown(name)

    def _reference(self, name: str) -> Factory:
        """Make a subject that the test brings; what follows a colon is its first argument, as in `abt-temp:3`."""
        if name in self.test.subjects:
            return lambda: as_subject(self.test.subjects[name], options=self.options)
        title, _, rest = name.partition(":")
        thing = self.test.subjects[title]
        first = next(iter(takes(thing) or ()), None)
        if first is None:
            raise BadParameter(f"The subject {title!r} takes nothing after a colon; got {name!r}.")
        if hasattr(thing, "check"):
            # What is wrong with a file is said now, not after a thousand sessions.
            thing.check(rest)
        return lambda: as_subject(thing, options={**self.options, first: rest})

    def _brought(self, point: EntryPoint, name: str) -> Factory:
        """Make what a package brings: a subject goes by its name alone, a prefix reads what follows it."""
        thing, (_, colon, rest) = load(point), name.partition(":")
        if not callable(thing):
            raise broken(point, f"it is {thing!r:.60}, not a function or a class")
        parameters = takes(thing) or {}
        if "naming" not in parameters:
            if colon:
                raise BadParameter(f"The subject {point.name!r} takes nothing after a colon; got {name!r}.")
            if isinstance(thing, type) and not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
                self.allow(*parameters)
            return lambda: as_subject(thing, options=self.options)
        if not colon:
            raise BadParameter(f"Say after {name} and a colon what it should be: {name}:...")
        return thing(rest, naming=replace(self, name=name))  # type: ignore[no-any-return]

    def allow(self, *names: str) -> dict[str, Any]:
        """Return the options, or raise a sentence for one that this kind of subject does not have."""
        for option in self.options:
            if option not in names:
                see = f"It has {', '.join(names) or 'none'}."
                raise BadParameter(str(unknown("option of this subject", option, known=names, see=see)))
        return dict(self.options)

    def with_options(self, options: Mapping[str, Any]) -> "Naming":
        """Read a member's name with its options; those on limits replace the group's."""
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
        known = [*self.test.subjects, *OURS, *extensions(GROUP)]
        see = (
            f"There are human, {', '.join(known)}; a file is named ./mine.py:respond, a program program:node agent.js, "
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
    >>> split_settings("llm:m#approve=(llm:n#memory=0)#seeded=true")
    ('llm:m', {'approve': '(llm:n#memory=0)', 'seeded': True})
    """
    found = SETTINGS.search(name)
    if found is None or name.startswith("constant:"):
        return name, {}
    return name[: found.start()], {key: _value(text) for key, text in re.findall(SETTING, found[0])}


def _value(text: str) -> Any:
    try:
        return loads(text)
    except ValueError:
        return text


def split_group(name: str) -> tuple[str, str, list[str]]:
    """Part the name of a group into what sort it is, its rule or solver, and its members; none where it is not a group.

    >>> split_group("team:mean(chance,llm:m)#members={}"), split_group("assisted:chance+llm:m"), split_group("chance")
    (('team', 'mean', ['chance', 'llm:m']), ('assisted', '', ['chance', 'llm:m']), ('chance', '', []))
    """
    sort, _, rest = split_settings(_bare(name.strip()))[0].partition(":")
    if sort == "assisted":
        return sort, "", split_names(rest, "+")
    title, _, inner = rest.partition("(")
    if sort not in ("team", "solve", "fault") or not inner:
        return sort, "", []
    return sort, title, split_names(inner.removesuffix(")"), ",")


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
