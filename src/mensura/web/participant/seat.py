"""Seat: one role of one session, as the person in it sees it and acts in it."""

from dataclasses import dataclass
from typing import Any
from zlib import crc32

from mensura.dialogue import Ask, ChatLog, Outcome, Prompt, PromptLike, prompt_data, prompt_text
from mensura.dialogue.canonical import canonical
from mensura.phrase import Sentence, phrase
from mensura.running.live import Live
from mensura.store.people.invitations import Invitation, Step
from mensura.web.drawing.own_page import OwnPage
from mensura.web.drawing.prompt import alone, held, poll, retold
from mensura.web.participant.review import answered, review
from mensura.web.participant.view import AskView, ClockView, Told, View

FAILED = ("crashed", "invalid", "timed_out", "expired", "lost")
"""After these ends a test was still led through what it would have asked; what it said then is not for people."""
WAITING_POLL = 1.0
COMPANY_POLL = 5.0
"""How often a page gives a sign of life where others depend on it, or an observer may stop the clock."""
STOPPED = phrase(
    "The observer {name} has stopped the clock, and no time passes for you. This page continues by itself as soon as "
    "they let it; please keep it open."
)
ENDED = {
    "finished": phrase("Your answers are stored."),
    "crashed": phrase("The other side stopped working, so this part ends here. That is not your fault."),
    "invalid": phrase("The other side stopped working, so this part ends here. That is not your fault."),
    "timed_out": phrase("This part took too long, so it ends here. Your answers are stored."),
    "expired": phrase("The time for this part is over, so it ends here. Your answers are stored."),
    "lost": phrase("The other side could not be reached, so this part ends here. That is not your fault."),
    "withdrawn": phrase("Someone withdrew from this part, so it ends here. That is not your fault."),
    "broken": phrase("This part has a fault, so it ends here. That is not yours, and your answers are kept."),
}


@dataclass(frozen=True)
class Seat:
    """One role of one session, and who sits there."""

    invitation: Invitation
    step: Step
    company: bool = False
    """Whether other people take part."""

    @property
    def role(self) -> str:
        """The role that is played."""
        return self.step.role

    def look(self, live: Live) -> View:
        """Return what there is to see; deadlines of the wall clock that have passed lapse first."""
        session = live.session
        self.pass_deadlines(live)
        view = self._view(live)
        view.number = self._seen(view, live)
        view.instructed = live.is_instructed(self.role)
        view.others = frozenset(session.open) - {self.role}
        view.held = held(view.prompt)
        view.poll = view.poll or poll(view.prompt)
        # What a program does in time may close the question; an observer of a study may stop the clock.
        programs = bool(view.others and view.clock) and not self.company
        if session.status == "open" and (programs or self.company or self.invitation.details.get("study")):
            view.poll = view.poll or (WAITING_POLL if programs else COMPANY_POLL)
        return view

    def _seen(self, view: View, live: Live) -> int:
        """Number what there is to see: by the last event, or by its content where that could tell what others do."""
        if live.session.meanwhile is not None:
            if view.kind == "waiting":
                return crc32(canonical([view.prompt, [told.prompt for told in view.told]]).encode())
            if view.ask is not None:
                return view.ask.number
        return live.session.log.number

    def answer(self, live: Live, value: Any, *, number: int, shown: float, nonce: str, notes: dict[str, Any]) -> None:
        """Give the answer of the person, to the very ask that the page showed."""
        tick = self._until(live, number, shown)
        live.session.answer(
            value, role=self.role, number=number, tick=tick, nonce=nonce, notes=notes or None, patiently=True
        )

    def abstain(self, live: Live, *, number: int, shown: float, nonce: str, notes: dict[str, Any]) -> None:
        """Pass the ask that the page showed."""
        tick = self._until(live, number, shown)
        live.session.refuse(role=self.role, number=number, tick=tick, nonce=nonce, notes=notes or None, abstains=True)

    def _until(self, live: Live, number: int, shown: float) -> int | None:
        """Let the time pass that the page showed an ask, and return the tick it is then."""
        tick = live.tick(role=self.role, shown_seconds=shown)
        if tick is not None:
            live.pass_time(tick, number=number)
        return tick

    def pass_deadlines(self, live: Live) -> None:
        """Let deadlines of the wall clock lapse that have passed."""
        tick = live.tick(role=self.role)
        if tick is not None and live.session.instance.test.timing.people == "wall":
            live.pass_time(tick)

    def pass_time(self, live: Live, *, number: int, shown: float) -> None:
        """Let a deadline lapse that the page has seen pass."""
        if live.session.asked.get(self.role) == number:
            tick = live.tick(role=self.role, shown_seconds=shown)
            if tick is not None:
                live.pass_time(tick)

    def talk(self, live: Live) -> ChatLog | None:
        """Return the talk in which this role takes part now, with or without the word; None where there is none."""
        found = (part.meanwhile(self.role) for ask in live.session.open.values() for part in _chats(ask.prompt))
        return next((talk for talk in found if talk is not None), None)

    def meanwhile(self, live: Live) -> PromptLike | None:
        """Return what this role sees while others are asked; None where the test does not say."""
        said = live.session.meanwhile
        return self.talk(live) if said is None else said(self.role)

    def _view(self, live: Live) -> View:
        session, invitation = live.session, self.invitation
        told = [Told.of(ask) for ask in session.told.get(self.role, ())]
        if session.status != "open":
            words = ENDED.get(session.status, phrase("This part is over."))
            outcome, told = (Outcome(), []) if session.status in FAILED else (session.outcome, told)
            prompt = prompt_data(outcome.prompt) or words
            told = [one for one in told if one.prompt not in (prompt if isinstance(prompt, list) else [prompt])]
            reward = outcome.reward.get(self.role) if isinstance(outcome.reward, dict) else outcome.reward
            view = View("over", invitation, self._heading(phrase("This part is over")), prompt, told, reward)
            view.button, view.action = phrase("Continue"), "next"
            return view
        if session.paused is not None:
            prompt = prompt_data(session.paused) or phrase("The session is paused.")
            view = View("break", invitation, phrase("A break"), prompt, told)
            view.review = review(self, live)
            if view.review:
                view.heading = phrase("Your answers")
            if session.stopped_by:
                view.heading, view.prompt = phrase("The clock is stopped"), Sentence(STOPPED, name=session.stopped_by)
                view.review = []
            else:
                view.button, view.action = phrase("Go on"), "go-on"
            view.poll = WAITING_POLL if self.company else COMPANY_POLL
            return view
        ask = session.open.get(self.role)
        if ask is None:
            view = View("waiting", invitation, phrase("Please wait for the others"), "", told)
            if (seen := self.meanwhile(live)) is not None:
                view.prompt = prompt_data(seen, page=True)
            view.poll = WAITING_POLL
            return view
        view = View("ask", invitation, self._heading(self.named(ask)), None, told, ask.reward)
        view.back = max(answered(self, live), default=None)
        view.prompt = prompt_data(ask.prompt, page=True)
        again = retold(view.prompt)
        view.told = [one for one in told if one.prompt not in again]
        view.clock = self._clock(live)
        # Of talks beside one another, each has a time of its own; elsewhere a world goes on at whatever lapses first.
        deadline = live.session.deadline_of(ask) if held(view.prompt) else live.session.deadline
        view.ask = self._asked(live, ask, view.clock, deadline)
        assert ask.space is not None
        # What is done in a world are acts: their number says nothing, and its deadlines bring other things about.
        if not ask.space.acts and not ask.space.submits and not alone(view.prompt):
            view.question, view.questions = self.counted(live, ask)
        return view

    def named(self, ask: Ask) -> str:
        """Name an ask by its first words."""
        return _first_words(ask) or phrase("Your answers")

    def counted(self, live: Live, ask: Ask) -> tuple[int, int | None]:
        """Return which question this is, and of how many, where the test says so."""
        instance = live.session.instance
        return live.place(self.role, ask.key), instance.test.count_questions(instance.parameters)

    def _heading(self, otherwise: str) -> str:
        return self.step.heading or otherwise

    def _clock(self, live: Live) -> ClockView | None:
        test = live.session.instance.test
        tick = live.tick(role=self.role)
        if tick is None:
            return None
        base, _ = live.since(self.role)
        kind = test.timing.people
        return ClockView(kind, tick, base if kind == "shown" else tick, test.timing.tick_seconds)

    def _asked(self, live: Live, ask: Ask, clock: ClockView | None, deadline: int | None) -> AskView:
        assert ask.space is not None
        number = live.session.asked[self.role]
        left = None
        if clock is not None and deadline is not None:
            left = (deadline - clock.base) * clock.tick_seconds
        base = 0 if clock is None else clock.base
        # Where a space brings a page of its own, its acts are on it.
        acts = ask.space.acts if ask.space.page is None else {}
        return AskView(number, ask.key, ask.space.described(), f"{number}.{base}", acts, left, ask.may_pass)


def _chats(prompt: PromptLike) -> list[ChatLog]:
    if isinstance(prompt, ChatLog):
        return [prompt]
    return [] if isinstance(prompt, str | Prompt) else [chat for part in prompt for chat in _chats(part)]


def _first_words(ask: Ask) -> str:
    """Name an ask in the title of the window and for screen readers, which begin there."""
    own = OwnPage.of(type(ask.prompt))
    if own is not None and own.title:
        return own.title
    first = prompt_text(ask.prompt).strip().split("\n", 1)[0].replace("**", "").strip("# *")
    return first if len(first) <= 70 else first[:67].rsplit(" ", 1)[0] + " …"
