"""Invite: people's places in a study, each with an unguessable link, spread evenly over the cells."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Address, generator
from mensura.errors import BadParameter
from mensura.running.run import session_id
from mensura.running.study.assignment import next_cell
from mensura.running.study.conduct import progress_of
from mensura.running.study.plan import Study
from mensura.store.exclusions import Exclusions
from mensura.store.head import RunHead, SessionHead
from mensura.store.invitations import Invitations, Step

if TYPE_CHECKING:
    from mensura.store import Store

CONSENT = (
    "You are invited to take part in a study. Taking part is voluntary. You may stop at any time and have all your "
    "answers erased. Your answers are stored without your name."
)


@dataclass(frozen=True)
class Invited:
    """A link to give to one person; it is shown once and cannot be looked up again."""

    token: str
    number: int
    cell: str


def invite(study: Study, count: int, *, store: "Store", created_by: str = "") -> list[Invited]:
    """Make places for so many people, each in the cell that has the fewest usable or running sessions."""
    runs = {state.cell.name: state.runs[0] for state in progress_of(study, store=store).cells if _open(state)}
    if not runs:
        raise BadParameter(f"No cast of {study.name} is human, or the study has not begun: mensura study run FILE")
    return [_invite_one(study, runs, store, created_by) for _ in range(count)]


def _open(state: object) -> bool:
    return state.cell.cast.people and bool(state.runs)  # type: ignore[attr-defined]


def _invite_one(study: Study, runs: dict[str, RunHead], store: "Store", created_by: str) -> Invited:
    usable, under_way = {}, {}
    for name, head in runs.items():
        sessions = store.sessions(head.id)
        excluded = Exclusions(store).excluded(head.id)
        usable[name] = sum(one.status == "finished" and one.id not in excluded for one in sessions)
        under_way[name] = sum(one.status == "open" for one in sessions)
    head = next(iter(runs.values()))
    made = sum(usable.values()) + sum(under_way.values())
    rng = generator(head.seed or 0, Address(session=made), stream="assignment")
    cell = next_cell(usable, under_way, rng)
    return open_place(study, cell, runs[cell], store=store, created_by=created_by)


def open_place(
    study: Study,
    cell: str,
    head: RunHead,
    *,
    store: "Store",
    created_by: str = "",
    label: str = "",
    details: Mapping[str, Any] | None = None,
    pages: Sequence[str] = (),
) -> Invited:
    """Open one session of a run and make the way that leads through it; `pages` are read before the test."""
    address = Address(session=len(store.sessions(head.id)))
    name = session_id(head.id, address)
    store.create_session(SessionHead(name, head.id, address, dict(head.cast), created=time.time()))
    words = study.invitation
    roles = [role for role, subject in head.cast.items() if subject == "human"]
    steps = [Step("consent", title="Consent", text=str(words.get("consent") or CONSENT))]
    if words.get("briefing"):
        steps.append(Step("page", title="What you will do", text=str(words["briefing"])))
    steps += [Step("page", title="How it is done", text=page) for page in pages]
    steps.append(Step("session", title="", session=name, role=roles[0]))
    steps.append(Step("thanks", title="Thank you", text=str(words.get("thanks") or "Thank you for taking part.")))
    days = words.get("days")
    token, invitation = Invitations(store).add(
        steps,
        label=label or cell,
        created_by=created_by,
        expires=None if days is None else time.time() + 86400 * float(days),
        details={"study": study.name, "telemetry": bool(words.get("telemetry")), **(details or {})},
    )
    return Invited(token, invitation.number, cell)
