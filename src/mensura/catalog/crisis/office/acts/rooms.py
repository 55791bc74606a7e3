"""Rooms: asking its owner to give it up. The owner answers by mail, always alike."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.office.history import Bump, Said
from mensura.catalog.crisis.office.naming import find_slot, named
from mensura.catalog.crisis.schedule import Place
from mensura.catalog.crisis.settings import DELAYS

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState


def ask_room(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Ask for a room that someone else has; this counts as a bump only if it reaches an owner."""
    room = named(office, "room", arguments["room"])
    slot = find_slot(arguments["day"], arguments["block"])
    name, when = office.world.room[room].name, office.index.when[slot]
    found = office.portal.status((room, slot))
    if found in ("unusable", "lost", "closed"):
        return Said(False, f"There is nobody to ask. {why_not(office, [(room, slot)])}")
    if there := office.schedule.occupants([(room, slot)]):
        return Said(False, f"{office.world.event[there[0]].short} is in {name} on {when}: the conference has it.")
    if found == "free":
        return Said(False, f"{name} is free on {when}; nobody need be asked.")
    held = office.portal.held[room, slot]
    owner = office.index.name_of(held.owner)
    before = next((bump for bump in office.bumps if (bump.room, bump.slot) == (room, slot)), None)
    if before is not None:
        answers = {None: "has not answered yet", True: "has given it up", False: "has said no"}
        return Said(False, f"You asked for {name} on {when} before: {owner} {answers[before.answer]}.")
    delay = _patience(office, room, slot)
    bump = Bump(role, room, slot, held.owner, office.now, office.now + delay)
    office.bumps.append(bump)
    subject = f"Re: {name}, {when}"
    office.write_later(held.owner, subject, _answer(office, room, slot), delay=delay, bump=bump)
    return Said(True, f"Your request for {name} on {when} went to {owner}, who will answer by mail.", {"bump": room})


def why_not(office: "OfficeState", wanted: Iterable[Place]) -> str:
    """Return in a sentence why the conference cannot have a room at some slots; empty where it can."""
    found = office.portal.barred(wanted)
    if found is None:
        return ""
    how, (room, slot) = found
    name, when = office.world.room[room].name, office.index.when[slot]
    if how == "unusable":
        return f"{name} is not let to conferences."
    if how == "lost":
        return f"{name} cannot be used on {when}: {office.world.loss.cause}"
    if how == "closed":
        return f"{name} is closed on {when}."
    held = office.portal.held[room, slot]
    owner = office.index.name_of(held.owner)
    return f"{name} is reserved by {owner} ({held.purpose}) on {when}; ask for it, or take another room."


def _patience(office: "OfficeState", room: str, slot: int) -> int:
    """Return how long an owner takes: a fixed number for each room and slot of a world, spread evenly."""
    seed = f"{office.world.name}/{office.world.seed}/{room}/{slot}".encode()
    return DELAYS["owner"] + int.from_bytes(blake2b(seed, digest_size=4).digest()) % DELAYS["owner_spread"]


YES = (
    "You can have {name} on {when}. We will find another place for {purpose}.",
    "Very well, {name} is yours on {when}. We can move {purpose}.",
    "Fine with me: take {name} on {when}. I have released the reservation in the portal.",
    "I am glad to help. We take {purpose} elsewhere, and {name} is free for you on {when}.",
    "I have spoken with the others: we can do without {name} on {when}. Good luck with the conference.",
    "Since it is an emergency: {name} on {when} is yours. I shall tell everyone who wanted to come to {purpose}.",
)
NO = (
    "I am sorry, we need {name} on {when} for {purpose}.",
    "That is not possible: on {when} we have {purpose} in {name}.",
    "No, I cannot give up {name} on {when}. We announced {purpose} long ago.",
    "Sorry to disappoint you, but {name} on {when} is kept for {purpose}, and that will not change.",
    "I would if I could. We have looked for another room for {purpose} and there is none, so {name} stays ours "
    "on {when}.",
    "I feel for you, but the answer is no: too many people count on {purpose} in {name} on {when}.",
)


def _answer(office: "OfficeState", room: str, slot: int) -> str:
    held = office.portal.held[room, slot]
    texts = YES if held.yields else NO
    when = office.index.when[slot].split(" (")[0]
    text = texts[(slot + len(held.owner)) % len(texts)]
    person = office.world.person.get(held.owner)
    words = text.format(name=office.world.room[room].name, when=when, purpose=_spoken(held.purpose))
    return f"{words}\n\n{person.name if person else held.owner}"


def _spoken(purpose: str) -> str:
    """Return in a sentence what a room is reserved for.

    >>> _spoken("Biology journal club"), _spoken("the choir")
    ('the biology journal club', 'the choir')
    """
    if purpose.lower().startswith(("the ", "a ", "an ")):
        return purpose[0].lower() + purpose[1:]
    return f"the {purpose if purpose[:2].isupper() else purpose[:1].lower() + purpose[1:]}"


ROOMS = {"ask_room": ask_room}
