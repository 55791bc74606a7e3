"""Ending: the last page of a participant: thanks, what they take back to their platform, and their scores."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Scores, undeclared
from mensura.dialogue.record import BESIDE, ESTIMATES
from mensura.phrase import Sentence, joined, phrase
from mensura.running.people.waiting_room import RELEASED
from mensura.running.results.estimating import Circumstances, Estimated, estimated
from mensura.running.scoring.declared import declared_of
from mensura.running.study.people.platform import ReturnTicket, completion_of
from mensura.stats.wording import figure
from mensura.web.participant.view import View
from mensura.web.participant.waiting import WAITED, released_view

if TYPE_CHECKING:
    from mensura.store import RunHead, Store
    from mensura.store.people.invitations import Invitation

NOTES = {
    str(said): said
    for said in (
        phrase("Nothing was scored."),
        phrase("One session: what another session would change cannot be known."),
        phrase(
            "Each item was answered once: what another answer would change cannot be known. "
            "Ask each item at least twice."
        ),
    )
}
COUNTED = {
    "answered": phrase("{count} answered"),
    "refused": phrase("{count} refused"),
    "abstained": phrase("{count} abstained"),
    "invalid": phrase("{count} invalid"),
    "timed_out": phrase("{count} timed out"),
    "crashed": phrase("{count} crashed"),
    "lost": phrase("{count} lost"),
}
ENDS = {"floor": phrase("floor {value}"), "ceiling": phrase("ceiling {value}")}


def thanks_view(store: "Store", invitation: "Invitation", *, token: str) -> View:
    """Return the last page, and note that the participant has reached it."""
    if RELEASED in invitation.details:
        view = released_view(invitation)
        view.completion = ticket_back(store, invitation, WAITED, token=token)
        return view
    if invitation.finished is None:
        store.invitations.mark(invitation.number, what="finished")
    step = invitation.current
    mine = step if step.kind == "thanks" else None
    words = (mine and mine.text and Sentence(mine.text)) or phrase(
        "You have reached the end. You can close this window."
    )
    view = View("thanks", invitation, (mine and mine.title and Sentence(mine.title)) or phrase("Thank you"), words)
    view.completion = ticket_back(store, invitation, str(invitation.details.get("ended") or "finished"), token=token)
    if invitation.details.get("show_scores"):
        counted = {step.session: step.role for step in invitation.steps if step.session and not step.practice}
        view.scores = shown_scores(store, counted)
    return view


def ticket_back(store: "Store", invitation: "Invitation", ending: str, *, token: str) -> ReturnTicket | None:
    """Return what the participant takes back to their platform; SONA's needs who they are there."""
    given = invitation.details.get("completion")
    if not given:
        return None
    if ending == WAITED:
        given = {**given, "codes": {WAITED: invitation.details[RELEASED]["code"]}}
    known = store.invitations.identity(invitation.number) if given.get("platform") == "sona" else None
    person = str(known["contact"]).partition(" ")[2] if known else ""
    return completion_of(given, ending, token=token, person=person)


def shown_scores(store: "Store", sessions: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the scores of a participant's sessions, which come with the role they had in each.

    Those that are declared for the laboratory only, or are of other roles, are left out; their own come first.
    """
    shown = []
    for session_id, role in sessions.items():
        history = store.results.history(session_id)
        if not history:
            continue
        run = store.runs.find(store.sessions.find(session_id).run)
        details = history[-1].scores.details
        found = _own(run, session_id, history[-1].scores, role)
        in_group = any(one.score.of for one in found)
        shown += [_shown(run.test, one, details, in_group) for one in sorted(found, key=lambda one: not one.score.of)]
    return shown


def _own(run: "RunHead", session_id: str, scores: Scores, role: str) -> list[Estimated]:
    """Estimate the scores of one session for the person who took it: what other people would do is not asked here."""
    declared = declared_of(run, {session_id: scores})
    seen = {
        name: value
        for name, value in scores.values.items()
        if (one := declared.get(name) or undeclared(name)).shown_to == "everyone" and one.of in ("", role)
    }
    own = {ESTIMATES: scores.details.get(ESTIMATES, {})}
    mine = Scores(seen, own, status=scores.status, tally=scores.tally)
    return list(estimated({session_id: mine}, declared, circumstances=Circumstances()).values())


def _shown(test: str, one: Estimated, details: Mapping[str, Any], in_group: bool) -> dict[str, Any]:
    estimate = one.estimate
    interval = (
        phrase("{low} to {high}", low=estimate.rounded[1], high=estimate.rounded[2]) if estimate.has_interval else ""
    )
    return {
        "test": test,
        "name": one.score.name,
        "label": one.score.title,
        "whose": (phrase("your own") if one.score.of else phrase("of the whole group")) if in_group else "",
        "direction": one.score.direction,
        "unit": one.score.unit,
        "value": None if estimate.value != estimate.value else float(estimate.value),
        "written": estimate.rounded[0],
        "interval": interval,
        "note": _note(one),
        "n": estimate.n,
        "outcomes": dict(one.tally),
        "unanswered": _unanswered(one),
        "beside": _beside(one.score.name, details),
    }


def _beside(name: str, details: Mapping[str, Any]) -> list[str]:
    """Return what a test gives beside a score: floor, ceiling, and how much of it each part lost (`lost_by`).

    Single losses would tell those who come later what is right; their sums do not.
    """
    found = [(words, details.get(end) or {}) for end, words in ENDS.items()]
    words: list[str] = [phrase(end, value=figure(given[name])) for end, given in found if name in given]
    lost = (details.get("lost_by") or {}).get(name, {})
    words += [phrase("lost by {part} {points}", part=part, points=figure(points)) for part, points in lost.items()]
    return words + list((details.get(BESIDE) or {}).get(name, []))


def _unanswered(one: Estimated) -> str:
    """Return what became of everything that was asked; empty where all of it was answered."""
    if not set(one.tally) - {"answered"}:
        return ""
    said: list[str] = [phrase(COUNTED[what].words, count=count) for what, count in one.tally.items() if count]
    over = phrase("over what was answered {value}", value=figure(one.answered.value))
    return joined([joined(said, ", "), over], "; ")


def _note(one: Estimated) -> str:
    """Return what must be said beside a score, to those who took the test: advice for those who plan it is left out."""
    if one.estimate.has_interval:
        return phrase("Take the interval with care: it rests on little.") if one.estimate.note else ""
    return NOTES.get(one.estimate.note) or phrase("Its error is not known.")
