"""Isolation: how far a subject is kept from what it must not see, said before the run and kept in its record."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mensura.dialogue import Test
from mensura.errors import BadParameter
from mensura.subjects.naming import Naming, split_group
from mensura.subjects.outside.bridge import Bridge
from mensura.subjects.sandbox.confinement import ANOTHER_USER, BUBBLEWRAP, MEANS, NOT_ISOLATED, Confinement
from mensura.subjects.sandbox.sandbox import means_of, takes_network_away
from mensura.subjects.solver.solver import OURS as SOLVERS
from mensura.subjects.source import Source
from mensura.subjects.spec import SubjectSpec

TRUSTED, OWN, OUTSIDE = "trusted", "own", "outside"
WEAKEST_FIRST = (TRUSTED, NOT_ISOLATED, ANOTHER_USER, BUBBLEWRAP, OUTSIDE, OWN)
WORDS = {
    TRUSTED: "trusted: shares our memory",
    NOT_ISOLATED: "not isolated",
    ANOTHER_USER: "as another user",
    BUBBLEWRAP: "in a sandbox (bubblewrap)",
    OUTSIDE: "outside: a person or a server",
    OWN: "not sandboxed: built in",
}
SORTS = {
    **dict.fromkeys(("reference", "chance", "constant", "recorded"), OWN),
    **dict.fromkeys(("human", "terminal", "tcp", "http", "https", "llm"), OUTSIDE),
    **dict.fromkeys(("module", "entry point"), TRUSTED),
}


@dataclass(frozen=True)
class Isolation:
    """How far a subject is kept apart, what was opened to it, and of a group how far each member is."""

    kind: str
    opened: tuple[tuple[str, Any], ...] = ()
    members: tuple[tuple[str, "Isolation"], ...] = ()

    @property
    def means(self) -> str:
        """By what programs and files in it are kept apart; empty where there are none."""
        if self.kind in MEANS:
            return self.kind
        return next((found for _, member in self.members if (found := member.means)), "")

    def as_json(self) -> dict[str, Any]:
        """Return it as the record keeps it."""
        members = {name: member.as_json() for name, member in self.members}
        return {"kind": self.kind, **dict(self.opened), **({"members": members} if members else {})}


def isolation_of(spec: SubjectSpec, test: Test, confinement: Confinement) -> Isolation:
    """Return how far a subject will be kept apart.

    Raises
    ------
    BadParameter
        Where a sandbox is demanded and the subject cannot be put into one.
    """
    if spec.given is not None:
        found = Isolation(OUTSIDE if isinstance(spec.given, Bridge) else TRUSTED)
    else:
        found = _of_name(spec.name, spec.naming(test, confinement=confinement))
    if confinement.sandbox == "on" and found.kind in (TRUSTED, NOT_ISOLATED):
        raise BadParameter(
            f"{spec.name} is Python code that shares our memory, so no sandbox can hold it: give it as a file "
            "(./mine.py:respond) or a program, or run it without --sandbox."
        )
    return found


def _of_name(name: str, naming: Naming) -> Isolation:
    naming, plain = naming.read(name)
    sort, rest = naming.sort_of(plain), plain.partition(":")[2]
    if sort in ("team", "assisted", "solve", "fault"):
        return _of_group(plain, naming)
    if sort == "program" or (sort == "file" and not naming.options.get("in_process")):
        return _confined(naming.confinement)
    if sort == "policy" and Source.read(rest).is_file and not naming.options.get("in_process"):
        return _confined(naming.confinement)
    if sort == "llm":
        return _of_model(naming)
    return Isolation(SORTS.get(sort, TRUSTED))


def _of_model(naming: Naming) -> Isolation:
    """Return how far a model's tools are kept apart, and who approves of them; the model itself is elsewhere."""
    options, members = naming.options, []
    for name in ("tools", "mcp"):
        if (given := options.get(name)) and not str(given).startswith(("http:", "https:")):
            members.append((str(given), _confined(naming.confinement)))
    if approver := options.get("approve"):
        members.append((str(approver), _of_name(str(approver), naming.with_options({}))))
    kinds = [OUTSIDE, *(member.kind for _, member in members)]
    return Isolation(min(kinds, key=WEAKEST_FIRST.index), members=tuple(members))


def _confined(confinement: Confinement) -> Isolation:
    means = means_of(confinement)
    opened = {
        "network": confinement.network or (means == ANOTHER_USER and not takes_network_away()),
        "gpu": confinement.gpu,
        "allow": list(confinement.allow),
        "pass_env": list(confinement.pass_env),
    }
    return Isolation(means, tuple((name, value) for name, value in opened.items() if value))


def _of_group(name: str, naming: Naming) -> Isolation:
    sort, title, names = split_group(name)
    options = naming.options.get("members", {})
    members = [(name, _of_name(name, naming.with_options(options.get(name, {})))) for name in names]
    # A rule or a solver of the user's own is code that we run ourselves.
    foreign = ":" in title or (sort == "solve" and title not in SOLVERS)
    kinds = [member.kind for _, member in members] + ([TRUSTED] if foreign else [])
    return Isolation(min(kinds, key=WEAKEST_FIRST.index), members=tuple(members))


def isolation_words(isolation: Mapping[str, Mapping[str, Any]]) -> str:
    """Return in a few words how far the subjects of a run were kept apart; empty for runs that did not note it.

    >>> isolation_words({"subject": {"kind": "bubblewrap", "network": True}})
    'in a sandbox (bubblewrap), with network'
    """
    said = {role: _words(one) for role, one in isolation.items()}
    if len(set(said.values())) <= 1:
        return next(iter(said.values()), "")
    return "; ".join(f"{role} {words}" for role, words in said.items())


def _words(one: Mapping[str, Any]) -> str:
    opened = [name for name in ("network", "gpu") if one.get(name)]
    opened += [f"{path} open" for path in one.get("allow", ())] + [str(name) for name in one.get("pass_env", ())]
    return WORDS.get(str(one["kind"]), str(one["kind"])) + (f", with {', '.join(opened)}" if opened else "")
