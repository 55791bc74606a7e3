"""Closing: a link that opens no longer, and the sessions that nobody will go on with."""

import logging
from typing import TYPE_CHECKING

from mensura.errors import MensuraError
from mensura.running.live import LiveSessions
from mensura.store.people.invitations import Invitation
from mensura.web.participant.ending import score_finished

if TYPE_CHECKING:
    from mensura.store import Store

log = logging.getLogger("mensura.web")


def close_link(store: "Store", number: int, *, who: str) -> Invitation:
    """Close a link and end what was left open behind it; what was answered is kept and scored.

    Sessions that other people still take part in stay open.
    """
    invitations = store.invitations
    invitations.close(number)
    mine = {step.session for step in invitations.get(number).steps if step.session}
    shared = {
        step.session
        for one in invitations.all()
        if one.number != number and one.status == "open" and not one.expired
        for step in one.steps
        if step.session in mine
    }
    for session in sorted(mine - shared):
        if store.sessions.find(session).status == "open":
            _end(store, session, last_words=f"The link was closed by {who}.")
    return invitations.get(number)


def _end(store: "Store", session: str, *, last_words: str) -> None:
    """End a session as timed out and score it; what would still have been asked is counted, so that none is hidden."""
    if any(event.kind == "ask" for event in store.events.of(session)):
        try:
            LiveSessions(store, most=1).act(session, lambda live: live.session.fail("timed_out", last_words=last_words))
        except MensuraError:
            # Its test may be gone or may have changed; what was answered is still there.
            log.exception("The session %s could not be led to its end.", session)
    store.sessions.end(session, status="timed_out", last_words=last_words, unless_over=True)
    score_finished(store, session)
