"""Waiting: what those see who wait for others, and those who waited in vain."""

from math import ceil

from mensura.phrase import joined, phrase
from mensura.running.people.waiting_room import RELEASED, WaitingRoom
from mensura.store.people.invitations import Invitation
from mensura.web.participant.view import View

LOBBY_POLL = 2.0
PAUSE_POLL = 60.0
MOST_PEOPLE = 1000
WAITED = "waited"
"""How the way of someone ended who waited in vain."""


def lobby_view(invitation: Invitation, *, wanted: int, here: int) -> View:
    """Return what someone sees until all are there: how many are, how long it may take, and then the way out."""
    room = WaitingRoom.of(invitation)
    words = [
        phrase(
            "{here} of {wanted} people are here. It begins by itself when all are; please keep this window open.",
            here=here,
            wanted=wanted,
        )
    ]
    left = room.left(invitation)
    minutes = 0 if left is None else ceil(left / 60)
    view = View("lobby", invitation, phrase("Waiting for the others"), poll=LOBBY_POLL)
    if minutes:
        words.append(
            phrase(
                "If they have not come in {minutes} min, you can leave and are paid {pay} for waiting.",
                minutes=minutes,
                pay=f"{room.pay:.2f}",
            )
            if room.pay
            else phrase("If they have not come in {minutes} min, you can leave.", minutes=minutes)
        )
    elif left is not None:
        words.append(phrase("The others have not come. You can leave now, or wait on."))
        if room.pay:
            words.append(phrase("You are paid {pay} for having waited.", pay=f"{room.pay:.2f}"))
        view.button, view.action = phrase("Leave the waiting room"), "leave"
    view.prompt = joined(words, "\n\n")
    # The page is drawn anew when someone comes or goes or a minute passes, and left alone otherwise.
    view.number = -(minutes * MOST_PEOPLE + here) - (bool(view.button) * MOST_PEOPLE**2)
    return view


def pause_view(invitation: Invitation, *, left: float) -> View:
    """Return what someone sees whose next part opens later."""
    hours, minutes = divmod(ceil(left / 60), 60)
    words = phrase(
        "Thank you so far. The next part opens in {hours} h {minutes} min. You may close this window and come back "
        "then by the same link.",
        hours=hours,
        minutes=minutes,
    )
    poll = min(PAUSE_POLL, max(LOBBY_POLL, left))
    return View("pause", invitation, phrase("A pause"), words, poll=poll, number=-(60 * hours + minutes))


def place_view(invitation: Invitation, *, held_before: bool) -> View:
    """Return what someone sees whose place another has, or for whom there is none yet."""
    if held_before:
        words = phrase(
            "We had not heard of you for a while, so your place was given to someone else. Thank you so far."
        )
        heading = phrase("Your place was taken")
        return View("taken", invitation, heading, words, button=phrase("Continue"), action="next")
    words = phrase("All places are taken just now. If one becomes free it is yours; please keep this window open.")
    return View("lobby", invitation, phrase("Waiting for a place"), words, poll=LOBBY_POLL, number=0)


def released_view(invitation: Invitation) -> View:
    """Return what someone sees who waited in vain: that they are done, and what they get."""
    given = invitation.details[RELEASED]
    words = [phrase("The others did not come, so there is nothing more to do. You can close this window.")]
    if given["pay"]:
        words.append(phrase("You are paid {pay} for having waited.", pay=f"{given['pay']:.2f}"))
    if given["code"] and not invitation.details.get("completion"):
        words.append(phrase("Your code: {code}", code=f"`{given['code']}`"))
    return View("thanks", invitation, phrase("Thank you for waiting"), joined(words, "\n\n"))
