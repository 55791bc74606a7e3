"""Closing: links that no longer open, sessions that nobody will resume, and people who withdraw."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mensura.dialogue import Status
from mensura.errors import MensuraError
from mensura.running.live import LiveSessions
from mensura.running.scoring.storing import score_finished
from mensura.store.people.erasure import SIGN
from mensura.store.people.invitations import Invitation

if TYPE_CHECKING:
    from mensura.store import Store

log = logging.getLogger("mensura.running")


def close_link(store: "Store", number: int, *, who: str) -> Invitation:
    """Close a link and end what was left open behind it; what was answered is kept and scored.

    Sessions that other people still take part in stay open.
    """
    _close(store, [store.invitations.get(number)], "timed_out", last_words=f"The link was closed by {who}.")
    return store.invitations.get(number)


def withdraw(store: "Store", number: int, *, who: str = "participant") -> list[str]:
    """End a participation and erase its person, at their own wish or by someone they asked; return the sessions."""
    names = store.invitations.withdraw(number)
    did = "withdrew" if who == "participant" else "erased a participant"
    store.trail.note(who, did, f"{SIGN}{number}", sessions=len(names))
    return names


def close_expired(store: "Store") -> list[Invitation]:
    """Close every link whose time is over, and end what was left open behind it; return those links.

    People who have begun have an hour more. No timer is needed: what counts, lists or archives sessions calls this
    first. Work of a panel stays open, so that its rater can be given another link.
    """
    if store.database.read_only:
        return []
    over = [one for one in store.invitations.expired() if is_over(one, store=store)]
    if over:
        _close(store, over, "expired", last_words="The time for taking part was over.")
    return [store.invitations.get(one.number) for one in over]


def is_over(invitation: Invitation, *, store: "Store") -> bool:
    """Return whether a link opens no longer; people who have been asked something have a while more."""
    if invitation.status != "open" or not invitation.expired:
        return invitation.status == "closed"
    return invitation.grace_over or not any(store.events.last_number(session) for session in invitation.sessions)


def _close(store: "Store", links: Sequence[Invitation], status: Status, *, last_words: str) -> None:
    for one in links:
        store.invitations.close(one.number)
    others = (one for one in store.invitations.all() if one.status == "open" and not one.grace_over)
    shared = {session for one in others for session in one.sessions}
    if status == "expired":
        shared |= {one.session for name in store.panels.names() for one in store.panels.assignments(name)}
    for session in sorted({session for one in links for session in one.sessions} - shared):
        if store.sessions.find(session).status == "open":
            _end(store, session, status, last_words=last_words)


def _end(store: "Store", session: str, status: Status, *, last_words: str) -> None:
    """End a session and score it; what would still have been asked is counted, so that none is hidden."""
    if any(event.kind == "ask" for event in store.events.of(session)):
        try:
            LiveSessions(store, most=1).act(session, lambda live: live.session.fail(status, last_words=last_words))
        except MensuraError:
            # Its test may be gone or may have changed; what was answered is still there.
            log.exception("The session %s could not be led to its end.", session)
    store.sessions.end(session, status=status, last_words=last_words, unless_over=True)
    score_finished(store, session)
    try:
        # Nobody scores a session that was never begun, and yet it may be the last one that was waited for.
        store.runs.open(store.sessions.find(session).run)
    except MensuraError:
        log.exception("The run of %s could not be opened.", session)
