"""Participation: one participant's way through the steps of an invitation, and all that can be done on it."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from mensura.errors import BrokenTest, Invalid, Late
from mensura.phrase import Sentence, phrase
from mensura.running.carry import carry_over
from mensura.running.live import Live
from mensura.running.people.closing import close_expired, is_over, withdraw
from mensura.running.people.waiting_room import begin_to_wait, match_by_arrival, release
from mensura.running.reference import definition_of
from mensura.running.scoring.storing import score_finished
from mensura.store.people.presence import types
from mensura.web.participant.ending import thanks_view, ticket_back
from mensura.web.participant.lobby import Lobby, begin
from mensura.web.participant.review import earlier, revise
from mensura.web.participant.seat import Seat
from mensura.web.participant.telemetry import browser_notes
from mensura.web.participant.typed import add_try, filled, seconds_shown, typed_fields, whole_number
from mensura.web.participant.view import View
from mensura.web.participant.waiting import LOBBY_POLL, lobby_view, pause_view, place_view

if TYPE_CHECKING:
    from mensura.store import SessionHead
    from mensura.store.people.invitations import Step
    from mensura.web.laboratory import Laboratory

ELSEWHERE = phrase("You have gone on already, perhaps in another window. This is where you are.")
LONGEST_NONCE = 64
PROGRAMS_SECONDS = 0.4
"""How long a request waits for programs that are asked."""
ANSWERS = ("answer", "refuse", "abstain")


@dataclass(frozen=True)
class Reply:
    """The result of an act: the view, and a note about the act."""

    view: View
    status: int = 200
    given: Mapping[str, str] = field(default_factory=dict)
    """The entries that could not be taken."""


class Participation:
    """One participant, found by the token of their link."""

    def __init__(self, lab: "Laboratory", token: str) -> None:
        self.lab = lab
        self.token = token
        self.invitation = lab.store.invitations.enter(token)

    def look(self, *, note: str = "") -> View:
        """Return what there is to see now."""
        invitation = self.invitation
        view = self._outside()
        if view is None:
            if invitation.entered is None:
                self.lab.store.invitations.mark(invitation.number, what="entered")
            step = invitation.current
            if invitation.step >= len(invitation.steps) or step.kind == "thanks":
                view = thanks_view(self.lab.store, invitation, token=self.token)
            elif step.kind == "session":
                view = self._session(step)
            else:
                view = self._words(step)
        view.note = note
        if view.kind == "over" and invitation.details.get("local"):
            # The server of this computer stays as long as someone reads.
            view.poll = LOBBY_POLL
            self._beat()
        return view

    def next(self, form: Mapping[str, str]) -> Reply:
        """Continue after a page that was read, a consent that was given, or a session that is over."""
        invitation = self.invitation
        if self._outside() is not None:
            return Reply(self.look(), 409)
        if form.get("step") != str(invitation.step):
            return Reply(self.look(note=ELSEWHERE), 409)
        step = invitation.current
        if step.kind == "consent":
            if form.get("agree") != "yes":
                return Reply(self.look(note=phrase("Please tick the box if you agree to take part.")), 422)
            self.lab.store.invitations.mark(invitation.number, what="consented")
        elif step.kind == "session" and self._session(step).kind not in ("over", "taken"):
            return Reply(self.look(note=phrase("This part is not over yet.")), 409)
        self.lab.store.invitations.advance(invitation.number, from_step=invitation.step)
        self.invitation = self.lab.store.invitations.get(invitation.number)
        return Reply(self.look())

    def answer(self, form: Mapping[str, str], *, shown_next: bool = True) -> Reply:
        """Take an answer; a retry of one that is stored already is answered with what is asked now.

        Where the next page is not shown at once, as before a redirect to it, nothing is drawn up for it.
        """
        seat = self._seat_for(form)
        if seat is None:
            return Reply(self.look(note=ELSEWHERE), 409)
        number, shown, nonce = whole_number(form, "number"), seconds_shown(form), form.get("nonce", "")[:LONGEST_NONCE]
        if number is None or not nonce:
            return Reply(self.look(note=phrase("The form was not complete, so nothing was changed.")), 400)
        notes = browser_notes(form, shown, kept=self.invitation.details.get("telemetry"))
        if seat.company:
            # A person who answers faster than their page looks for news is there too.
            self._beat()

        def act(live: Live) -> View:
            meant = self._standing(seat, live, number) if form.get("standing") == "yes" else number
            ask = live.session.open.get(seat.role)
            if form.get("pass") == "yes" and ask is not None and ask.may_pass:
                seat.abstain(live, number=meant, shown=shown or 0.0, nonce=nonce, notes=notes)
                return seat.look(live)
            value = None
            if ask is not None and ask.space is not None and live.session.asked[seat.role] == meant:
                value = ask.space.parse(form)
                if typed := typed_fields(form, value):
                    notes["typed"] = typed
            seat.answer(live, value, number=meant, shown=shown or 0.0, nonce=nonce, notes=notes)
            if not shown_next and live.session.open.keys() == {seat.role}:
                return View("ask", self.invitation)
            return seat.look(live)

        try:
            view = self.lab.sessions.act(seat.step.session, act)
        except Late as late:
            if self.lab.sessions.answered_before(seat.step.session, nonce):
                return Reply(self.look())
            # Nobody is told that something came too late which the page did by itself.
            return Reply(self.look(note="" if form.get("unasked") == "yes" else late.said), 409)
        except Invalid as wrong:
            return Reply(
                self.look(note=wrong.said), 422, {**form, "changes": add_try(notes.get("changes", []), form, shown)}
            )
        except BrokenTest:
            return Reply(self.look(), 200)
        return Reply(self._after(seat, view))

    def earlier(self, number: int) -> tuple[View | None, dict[str, str]]:
        """Return a question that can be answered anew, and the fields that its answer fills in."""
        seat = self._seat_for({"step": str(self.invitation.step)})
        if seat is None:
            return None, {}
        view = self.lab.sessions.act(seat.step.session, partial(earlier, seat, number=number))
        answers = [] if view is None else self.lab.store.records.find(seat.step.session).answers
        return view, next((filled(one) for one in answers if one.number == number), {})

    def revise(self, form: Mapping[str, str]) -> Reply:
        """Change an answer that was given before; the one before stays in the record."""
        seat, number, nonce = self._seat_for(form), whole_number(form, "number"), form.get("nonce", "")[:LONGEST_NONCE]
        if seat is None or number is None or not nonce:
            return Reply(self.look(note=ELSEWHERE), 409)
        sessions, session = self.lab.sessions, seat.step.session

        def act(live: Live) -> None:
            # Asked when its turn has come, and at every try: of forms that come at once none was taken before.
            if not sessions.answered_before(session, nonce):
                revise(seat, live, form, number=number, nonce=nonce)

        try:
            sessions.act(session, act)
        except Late as late:
            return Reply(self.look(note=late.said), 409)
        except Invalid as wrong:
            view, _ = self.earlier(number)
            if view is not None:
                view.note = wrong.said
                return Reply(view, 422, form)
        return Reply(self.look())

    def go_on(self, form: Mapping[str, str]) -> Reply:
        """End a break; a clock that an observer stopped stays stopped."""
        seat = self._seat_for(form)
        if seat is not None:
            try:
                self.lab.sessions.act(seat.step.session, lambda live: live.session.unpause())
            except Late as stopped:
                return Reply(self.look(note=stopped.said), 409)
        return Reply(self.look())

    def pass_time(self, form: Mapping[str, str]) -> View | None:
        """Return what has changed since the page was drawn, or None; a deadline that it has seen pass lapses first."""
        seat = self._seat_for(form)
        if seat is None:
            return self.look()
        number, shown, seen = whole_number(form, "number"), seconds_shown(form), whole_number(form, "seen")
        if number is not None and shown:
            self.lab.sessions.act(seat.step.session, lambda live: seat.pass_time(live, number=number, shown=shown))
        view = self.look()
        # Others' events must not take away a form that someone is filling in.
        same = view.number == seen if view.ask is None else view.ask.number == number
        return None if same and view.kind == form.get("kind") else view

    def mark(self, form: Mapping[str, str]) -> tuple[str, int]:
        """Return a page's session and its last event, where it waits for news of it; "" where it does not."""
        invitation = self.invitation
        if form.get("held") != "yes" or invitation.step >= len(invitation.steps) or not invitation.current.session:
            return "", 0
        return invitation.current.session, self.lab.store.events.last_number(invitation.current.session)

    def typing(self, form: Mapping[str, str]) -> list[str]:
        """Note whether the participant is typing in a talk; return the names of others who are, where that is shown."""
        seat = self._seat_for(form)
        talk = None if seat is None else self.lab.sessions.act(seat.step.session, seat.talk)
        if seat is None or talk is None or not talk.typing:
            return []
        presence, me = self.lab.store.presence, self.invitation.sign
        if form.get("typing") == "yes":
            presence.beat(types(me))
        elif form.get("typing") == "no":
            presence.let_go([types(me)])
        holders = Lobby(self.lab, self.lab.sessions.head(seat.step.session)).holders
        names = {one.who: talk.names[role] for role, one in holders.items() if role in talk.names and one.who != me}
        return [names[who] for who in presence.typing(names)]

    def leave(self, form: Mapping[str, str]) -> Reply:
        """Leave the waiting room after its time, with what the plan gives."""
        if form.get("step") != str(self.invitation.step) or not release(self.lab.store, self.invitation):
            return Reply(self.look(note=ELSEWHERE), 409)
        self.invitation = self.lab.store.invitations.get(self.invitation.number)
        return Reply(self.look())

    def withdraw(self) -> View:
        """End the participation and erase its data."""
        invitation = self.invitation
        if invitation.status != "withdrawn":
            for name in withdraw(self.lab.store, invitation.number):
                self.lab.sessions.forget(name)
            self.invitation = self.lab.store.invitations.get(invitation.number)
        return self.look()

    def instructions(self) -> list[tuple[str, Any]]:
        """Return what was read and told before the questions, each part with its heading, to be read again."""
        invitation = self.invitation
        found: list[tuple[str, Any]] = []
        if self._outside() is None:
            found = [(_heading(step), Sentence(step.text)) for step in invitation.read_so_far]
            step = invitation.current
            if step.kind == "session" and invitation.step < len(invitation.steps):
                told = self.lab.store.events.told_first(step.session, role=step.role)
                found += [("", event.content["prompt"]) for event in told]
        return found

    @property
    def copies(self) -> list[str]:
        """Return the copies of the participant's data that were given away before now."""
        return self.lab.store.copies.told(self.invitation)

    @property
    def with_others(self) -> bool:
        """Return whether other people take part in any of the sessions."""
        store = self.lab.store
        return any(len(Lobby(self.lab, store.sessions.find(name)).people) > 1 for name in self.invitation.sessions)

    def _outside(self) -> View | None:
        """Return what those see who may not go on."""
        invitation = self.invitation
        if invitation.status == "withdrawn":
            words = phrase("Your participation has ended and your data have been erased. You can close this window.")
            view = View("withdrawn", invitation, phrase("You have withdrawn"), words, copies=self.copies)
            view.completion = ticket_back(self.lab.store, invitation, "withdrawn", token=self.token)
            return view
        if is_over(invitation, store=self.lab.store):
            if invitation.status == "open":
                close_expired(self.lab.store)
            words = phrase(
                "The time for taking part by this link is over. If you think it should not be, ask for a new one."
            )
            return View("expired", invitation, phrase("This link has expired"), words)
        return None

    def _words(self, step: "Step") -> View:
        # Titles and texts that the laboratory offers are among the sentences that are translated.
        heading = _heading(step)
        button = phrase("Take part") if step.kind == "consent" else phrase("Continue")
        return View(step.kind, self.invitation, heading, Sentence(step.text), button=button, action="next")

    def _session(self, step: "Step") -> View:
        if (left := self._pause_left(step)) > 0:
            return pause_view(self.invitation, left=left)
        head = self.lab.sessions.head(step.session)
        lobby = Lobby(self.lab, head)
        together = len(lobby.people) > 1
        if not together:
            self._carry_over(head)
        if together:
            self._beat()
            last, _, status = self.lab.store.events.standing(step.session)
            if status == "open" and (elsewhere := self._place(lobby, step, begun=last > 0)) is not None:
                return elsewhere
        seat = Seat(self.invitation, step, company=together)
        view = self.lab.sessions.act(step.session, seat.look)
        if view.kind == "waiting" and together and lobby.replace_absent(self.invitation, step.role):
            view = self.lab.sessions.act(step.session, seat.look)
        return self._after(seat, view)

    def _pause_left(self, step: "Step") -> float:
        """Return how many seconds are left of the pause before a part that has not begun; 0 where there is none."""
        events = self.lab.store.events
        before = [one.session for one in self.invitation.steps[: self.invitation.step] if one.session]
        if not step.pause or not before or events.last_number(step.session):
            return 0.0
        last = events.times(before[-1])[1]
        return 0.0 if last is None else max(0.0, last + step.pause - time.time())

    def _beat(self) -> None:
        """Give a sign of life, for those who wait."""
        if self.lab.beats.wait(self.invitation.sign) == 0:
            self.lab.store.presence.beat(self.invitation.sign)

    def _carry_over(self, head: "SessionHead") -> None:
        """Let a session of somebody who took the test before by this link begin with what was left then."""
        invitation = self.invitation
        taken = [step.session for step in invitation.steps[: invitation.step] if step.session and not step.practice]
        if not taken or self.lab.store.events.last_number(head.id):
            return
        same = [name for name in taken if self.lab.store.sessions.find(name).run == head.run]
        if same:
            test = definition_of(self.lab.store.runs.find(head.run))
            carry_over(head.id, earlier=same, test=test, store=self.lab.store)

    def _place(self, lobby: Lobby, step: "Step", *, begun: bool) -> View | None:
        """Find a place among others: None when the participant has one and the session goes on."""
        session_id, me = step.session, self.invitation.sign
        if not begun:
            arrived = lobby.arrived()
            if set(lobby.people) <= set(arrived):
                self.lab.sessions.act(session_id, lambda live: begin(live, arrived))
                lobby = Lobby(self.lab, lobby.head)
            else:
                return self._wait(lobby, len(arrived))
        holder = lobby.holders.get(step.role)
        if holder is not None and holder.who == me and not holder.gone:
            return None
        if holder is not None and holder.who == me:
            self.lab.sessions.act(session_id, lambda live: live.session.join(step.role, who=me))
            return None
        if holder is None or holder.gone or step.role in lobby.absent([step.role]):
            self.lab.sessions.act(session_id, lambda live: live.session.replace(step.role, who=me))
            return None
        return place_view(self.invitation, held_before=lobby.held_before(self.invitation))

    def _wait(self, lobby: Lobby, here: int) -> View:
        """Wait for others: those who came first are put together where the plan says so."""
        store = self.lab.store
        self.invitation = invitation = begin_to_wait(store, self.invitation)
        if match_by_arrival(store, invitation, there_since=time.time() - self.lab.settings.absence_seconds):
            self.invitation = store.invitations.get(invitation.number)
            return self._session(self.invitation.current)
        return lobby_view(invitation, wanted=len(lobby.people), here=here)

    def _standing(self, seat: Seat, live: Live, number: int) -> int:
        """Find the ask that an act in a standing world means.

        What the page showed may have lapsed since, as new mail came, or made way for what a companion did. As long as
        the person has done nothing else meanwhile, in another window perhaps, the act is meant for what is asked now.
        """
        seat.pass_deadlines(live)
        now = live.session.asked.get(seat.role, number)
        if now == number:
            return number
        last = self.lab.store.events.last_of_kinds(seat.step.session, ANSWERS, role=seat.role)
        return now if last is None or last < number else number

    def _after(self, seat: Seat, view: View) -> View:
        """Do what follows from a view: score what is over, and let programs play that are asked."""
        session = seat.step.session
        programs = set(self._program_roles(session)) if view.others else set()
        if view.others & programs:
            self.lab.programs.notice(session, self._program_roles)
            if view.kind == "waiting" and view.others <= programs:
                view = self._patiently(seat, view)
        if view.kind == "over":
            score_finished(self.lab.store, session)
        return view

    def _patiently(self, seat: Seat, view: View) -> View:
        """Return programs a moment: most answer at once, and a page that says "wait" would only flicker."""
        session, last = seat.step.session, time.monotonic() + PROGRAMS_SECONDS
        while view.kind == "waiting" and (left := last - time.monotonic()) > 0:
            self.lab.programs.wait(session, seconds=left)
            view = self.lab.sessions.act(session, seat.look)
        return view

    def _program_roles(self, session_id: str) -> dict[str, str]:
        return Lobby(self.lab, self.lab.sessions.head(session_id)).programs

    def _seat_for(self, form: Mapping[str, str]) -> Seat | None:
        """Return the seat that a form speaks for; None where the participant is somewhere else by now."""
        invitation = self.invitation
        here = (
            invitation.status == "open"
            and not is_over(invitation, store=self.lab.store)
            and invitation.step < len(invitation.steps)
        )
        if not here or form.get("step") != str(invitation.step) or invitation.current.kind != "session":
            return None
        step = invitation.current
        if self._pause_left(step) > 0:
            return None
        lobby = Lobby(self.lab, self.lab.sessions.head(step.session))
        together = len(lobby.people) > 1
        if together and (holder := lobby.holders.get(step.role)) is not None and holder.who != invitation.sign:
            return None
        return Seat(invitation, step, company=together)


def _heading(step: "Step") -> str:
    return step.heading or (phrase("Your consent") if step.kind == "consent" else "")
