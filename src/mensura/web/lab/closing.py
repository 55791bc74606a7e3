"""Closing: a link that opens no longer, and the sessions that nobody will go on with."""

from typing import TYPE_CHECKING

from mensura.store.invitations import Invitation, Invitations

if TYPE_CHECKING:
    from mensura.store import Store


def close_link(store: "Store", number: int, *, who: str) -> Invitation:
    """Close a link and end what was left open behind it; what was answered is kept.

    Sessions that other people still take part in stay open.
    """
    invitations = Invitations(store)
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
        if store.session(session).status == "open":
            store.end_session(session, status="timed_out", last_words=f"The link was closed by {who}.")
    return invitations.get(number)
