"""Advice: constraints for the assistant's optimiser, questions to it, and accepting what it proposes."""

from typing import TYPE_CHECKING, Any, get_args

from mensura.catalog.crisis.office.acts.mail import message
from mensura.catalog.crisis.office.constraint import NEEDS, content, read_part, rule_words
from mensura.catalog.crisis.office.facts import read_whole
from mensura.catalog.crisis.office.history import Said
from mensura.catalog.crisis.office.naming import named
from mensura.catalog.crisis.settings import ASSISTED
from mensura.catalog.crisis.world.requirement import Requirement, RuleKind
from mensura.errors import Invalid

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState

ALONE = ASSISTED | {"accept", "finish", "wait"}
"""Acts that nobody does by accepting them: they take time, or someone else's answer."""


def constrain(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Enter a constraint, for the optimiser to keep."""
    kind = arguments["kind"].strip().lower()
    if kind not in NEEDS:
        return Said(False, f"There is no constraint of kind {kind[:40]!r}; there are {', '.join(get_args(RuleKind))}.")
    if missing := [name for name in NEEDS[kind] if not str(arguments.get(name, "")).strip()]:
        return Said(False, f"A constraint of kind {kind} needs {' and '.join(missing)}.")
    filled = {name: read_part(office, kind, name, arguments[name]) for name in NEEDS[kind]}
    number = sum(each.call == "constrain" and each.ok for each in office.history) + 1
    rule = Requirement(id=f"c-{number}", kind=kind, leaf="entered", source=role, **filled)
    same = next((id for id, other in office.constraints.items() if content(other) == content(rule)), "")
    if same:
        return Said(False, f"That is constraint {same} already.")
    office.constraints[rule.id] = rule
    return Said(True, f"Constraint {rule.id}: {rule_words(office, rule)}.", {"constraint": rule.id})


def unconstrain(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Take a constraint back."""
    rule = office.constraints.pop(arguments["constraint"], None)
    if rule is None:
        known = ", ".join(office.constraints) or "none"
        return Said(False, f"There is no constraint {arguments['constraint'][:40]!r}; there are {known}.")
    return Said(True, f"Constraint {rule.id} is gone: {rule_words(office, rule)}.")


def suggest(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Ask the assistant what a message wants done."""
    return _ask(office, {"message": message(office, arguments["message"]).id})


def find_room(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Ask the assistant for a room for an event."""
    return _ask(office, {"event": named(office, "event", arguments["event"])})


def put_question(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Ask the assistant something that needs no more words."""
    return _ask(office, {})


def accept(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Carry out the parts of a proposal one after another; each is an act of the person who accepts it."""
    made = office.proposals.get(arguments["proposal"])
    if made is None:
        known = ", ".join(office.proposals) or "none"
        return Said(False, f"There is no proposal {arguments['proposal'][:40]!r}; there are {known}.")
    wanted = arguments.get("parts", "").replace(",", " ").split() or [str(i + 1) for i in range(len(made.acts))]
    if wrong := [part for part in wanted if not 1 <= (read_whole(part) or 0) <= len(made.acts)]:
        return Said(False, f"Proposal {made.id} has parts 1 to {len(made.acts)}; there is no part {wrong[0][:20]}.")
    lines, done = [], 0
    for part in (int(part) for part in wanted):
        if part in made.accepted:
            lines.append(f"{part}. was accepted before.")
            continue
        said = do_part(office, role, made.acts[part - 1], proposal=made.id)
        if said.ok:
            made.accepted.append(part)
            done += 1
        lines.append(f"{part}. {said.words}")
    words = f"{done} of {len(wanted)} parts of {made.id} done.\n" + "\n".join(lines)
    return Said(done > 0, words, {"proposal": made.id, "done": done})


def _ask(office: "OfficeState", about: dict[str, Any]) -> Said:
    office.asked = about
    return Said(True, "The assistant was asked.", {"about": about})


def do_part(office: "OfficeState", role: str, act: dict[str, Any], *, proposal: str = "") -> Said:
    """Do one part of what the assistant answered, checked as if the subject had called it."""
    from mensura.catalog.crisis.tools import acts_of

    if act["call"] in ALONE:
        return Said(False, f"A proposal cannot {act['call'].replace('_', ' ')}.")
    try:
        checked = acts_of(office.tools).check(act)
    except Invalid as wrong:
        return Said(False, str(wrong))
    office.accepting = proposal
    try:
        return office.carry_out(role, checked["call"], checked["arguments"])
    finally:
        office.accepting = ""


ADVICE = {
    "constrain": constrain,
    "unconstrain": unconstrain,
    "suggest": suggest,
    "find_room": find_room,
    "optimise": put_question,
    "elicit": put_question,
    "batch": put_question,
    "draft": put_question,
    "accept": accept,
}
