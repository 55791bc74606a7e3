"""Inviting: makes sessions for people, and the links by which they enter them."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Seed, Test
from mensura.errors import BadParameter
from mensura.running.plan import Plan, session_id
from mensura.running.run import RunOptions, begin_run
from mensura.store import SessionHead
from mensura.store.people.invitations import Invitation, Step
from mensura.subjects import SubjectSpec
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import RunHead, Store


@dataclass(frozen=True)
class Frame:
    """The steps around a session on a participant's way.

    Parameters
    ----------
    before, after
        Steps before and after the session: consent, pages, other sessions, thanks.
    label
        A name for the participants' list.
    expires
        Seconds since 1970 after which the links no longer open; None: never.
    details
        `telemetry: True` keeps when people type, paste and look away, and says so with the consent;
        `show_scores: True` shows scores at the end; `replacement: NAME` puts a program in the place of people who
        drop out.
    """

    before: Sequence[Step] = ()
    after: Sequence[Step] = ()
    label: str = ""
    expires: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Link:
    """A link for one participant; its token is known only now."""

    token: str
    invitation: Invitation
    session: str
    role: str

    @property
    def path(self) -> str:
        """Where the participant enters."""
        return f"/p/{self.token}"

    def shown(self, base: str) -> dict[str, Any]:
        """Return what its maker is shown of the link, once."""
        one = self.invitation
        return {"number": one.number, "label": one.label, "role": self.role, "url": base + self.path}


def invite(
    test: str | Test,
    cast: str | Mapping[str, str] = HUMAN,
    *,
    store: "Store",
    sessions: int = 1,
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    setting: str | None = None,
    frame: Frame = Frame(),
    created_by: str = "",
    confinement: Confinement = Confinement(),
) -> "tuple[RunHead, list[Link]]":
    """Write down a run that people take, its sessions, and one link for every person in each of them.

    Parameters
    ----------
    cast
        "human" for all roles but those that the test plays itself, or a subject for each role, at least one of them
        "human".

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from mensura.store import open_store
    >>> with TemporaryDirectory() as folder, open_store(f"{folder}/mensura.db") as store:
    ...     run, links = invite("dilemma", store=store, sessions=2)
    ...     [link.role for link in links]
    ['first', 'second', 'first', 'second']
    """
    if replacement := frame.details.get("replacement"):
        SubjectSpec(str(replacement)).find(find_test(test))
    about: dict[str, Any] = {"seed": seed, "parameters": parameters, "setting": setting, "confinement": confinement}
    head = begin_people(test, cast, store=store, sessions=sessions, **about)
    names = [session.id for session in store.sessions.of(head.id)]
    return head, invite_to(names, store=store, frame=frame, created_by=created_by)


def begin_people(
    test: str | Test,
    cast: str | Mapping[str, str],
    *,
    store: "Store",
    sessions: int,
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    setting: str | None = None,
    details: Mapping[str, Any] | None = None,
    confinement: Confinement = Confinement(),
) -> "RunHead":
    """Write down a run that people take, and its sessions, without inviting anyone yet."""
    definition = find_test(test)
    values = definition.fill(parameters, setting=setting)
    named = definition.complete_cast(cast, values)
    if HUMAN not in named.values():
        raise BadParameter(f"Nobody in this cast is a person; name {HUMAN!r} for at least one role.")
    specs = {role: SubjectSpec(named[role]) for role in definition.cast_roles(values)}
    plan = Plan(test, specs, values, setting or "")
    options = RunOptions(trace="full", details=dict(details or {}), confinement=confinement)
    head = begin_run(plan, store=store, seed=Seed.choose(seed), options=options)
    now = time.time()
    store.sessions.add_many(
        SessionHead(session_id(head.id, address), head.id, address, head.cast, created=now)
        for address in (Address(session=number) for number in range(sessions))
    )
    return head


def invite_to(sessions: Iterable[str], *, store: "Store", frame: Frame, created_by: str = "") -> list[Link]:
    """Make one link for every person in each of these sessions."""
    invitations = store.invitations
    links = []
    for name in sessions:
        for role, who in store.sessions.find(name).cast.items():
            if who != HUMAN:
                continue
            steps = [*frame.before, Step("session", session=name, role=role), *frame.after]
            token, invitation = invitations.add(
                steps, label=frame.label, created_by=created_by, expires=frame.expires, details=frame.details
            )
            links.append(Link(token, invitation, name, role))
    return links
