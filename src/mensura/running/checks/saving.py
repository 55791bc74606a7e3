"""Saving: resuming from a save gives the same as taking the whole session again."""

import json
from contextlib import suppress
from dataclasses import replace

from mensura.dialogue import Event, Session, replay
from mensura.dialogue.canonical import canonical
from mensura.errors import Invalid, MensuraError
from mensura.running.checks.check import Check
from mensura.running.checks.replaying import first_difference
from mensura.running.checks.trial import Held, Trial


def check_saves(trial: Trial) -> Check:
    """Resume from every save up to the end of the session, and compare all that comes with the full replay."""
    name = "saves"
    held = trial.first
    saves = [event for event in held.events if event.kind == "save"]
    if not saves:
        says = "takes `saved` but yields no Save under these parameters" if trial.test.takes("saved") else "yields none"
        return Check(name, None, says)
    if not trial.test.takes("saved"):
        return Check(name, False, "yields Save but cannot resume from it: add saved=None to its arguments")
    for save in saves:
        # Through JSON, as a store keeps it: keys that are numbers and tuples do not survive that.
        stored = replace(save, value=json.loads(canonical(save.value)))  # noqa: TID251
        rest = [event for event in held.events if event.number > save.number]
        try:
            made = _again(held, stored, rest)
            if made and made[0].kind == "save" and rest[0].kind != "save":
                words = f"yields the save of event {save.number} once more when it resumes from it; save after a part"
                return Check(name, False, f"{words}, or pass over the first save when `saved` is given")
            if difference := first_difference(rest, made):
                return Check(name, False, f"from the beginning, then from the save at {save.number}: {difference}")
            # The replay proper compares digests; later saves are left out, or it would start from the last of them.
            replay(held.instance, [stored, *(event for event in rest if event.kind != "save")])
        except MensuraError as error:
            return Check(name, False, f"from the save at event {save.number}: {error}")
    return Check(name, True, f"{len(saves)} saves, and from each the rest comes out as in a full replay")


def _again(held: Held, save: Event, rest: list[Event]) -> list[Event]:
    """Give the inputs after a save to a session that starts from it, and collect its events."""
    session = Session(held.instance, limits=held.session.limits, saved=save.value)
    session.start()
    for event in rest:
        if event.kind == "answer":
            session.answer(event.value, role=event.role, tick=event.tick, nonce=event.nonce, notes=event.notes)
        elif event.kind == "lapse":
            session.advance(event.tick)
        elif event.kind == "refuse":
            session.refuse(event.value, role=event.role, tick=event.tick, nonce=event.nonce, notes=event.notes)
        elif event.kind == "unpause":
            session.unpause()
        elif event.kind == "invalid":
            with suppress(Invalid):
                session.answer(event.value, role=event.role, tick=event.tick, nonce=event.nonce)
    return session.drain()
