"""Warm-up: before it serves, a process loads the tests that open links lead to, so that nobody waits."""

import logging
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mensura.web.participant.seat import Seat

if TYPE_CHECKING:
    from mensura.store.people.invitations import Invitation, Step
    from mensura.web.laboratory import Laboratory

LINKS = 500
"""How many links are looked at, the newest first."""
SECONDS = 3.0
"""A process that has warmed up for so long begins to serve; the rest is made when it is asked for."""
log = logging.getLogger("mensura.web")


def warm_up(lab: "Laboratory") -> int:
    """Put up the first page of one session of each run that open links lead to, and forget it again; say how many.

    Tests are imported and their worlds built on the way. Nothing is stored, and nobody has entered. Without it the
    first thirty people who open their links together would all wait for the same world.
    """
    begun, done = time.monotonic(), 0
    for invitation, step in _first_of_each_run(lab):
        if time.monotonic() - begun > SECONDS:
            break
        try:
            live = lab.sessions.copy(step.session)
            live.session.start()
            Seat(invitation, step).look(live)
            done += 1
        except Exception:
            # The person who opens the link is told what is wrong; others must be served all the same.
            log.exception("Rehearsal of %s", step.session)
    return done


def _first_of_each_run(lab: "Laboratory") -> "Iterator[tuple[Invitation, Step]]":
    seen = set()
    for invitation in lab.store.invitations.newest(limit=LINKS):
        if invitation.status != "open" or invitation.expired:
            continue
        for step in invitation.steps[invitation.step :]:
            if step.session and (run := lab.store.sessions.find(step.session).run) not in seen:
                seen.add(run)
                yield invitation, step
