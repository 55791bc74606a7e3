"""Bridge: a subject whose answers come from another thread, one at a time; for servers that agents plug into."""

from threading import Condition
from typing import Any

from mensura.dialogue import Ask, Outcome, prompt_text
from mensura.errors import SubjectTimedOut
from mensura.subjects.lane import OwnLimits


class Abandoned(BaseException):
    """Raised where an answer is waited for that will not come; the session stays open and can be resumed.

    No `Exception`: the subject has not failed, it has only left.
    """


class Bridge:
    """Waits, in the thread that drives the session, for answers that another thread gives.

    Parameters
    ----------
    seconds
        Longest wait for one answer, from the moment when the other side first asked what there is to do or answered:
        an agent's host may start a server long before the agent uses it. None: no limit.

    Examples
    --------
    >>> from threading import Thread
    >>> from mensura.dialogue import Probability
    >>> bridge = Bridge()
    >>> driving = Thread(target=lambda: bridge.end(Outcome(f"You said {bridge(Ask('Heads?', Probability()))}.")))
    >>> driving.start()
    >>> bridge.first()
    'Heads?'
    >>> bridge.give(0.5)
    (True, 'You said 0.5.')
    """

    recomputes = False

    def __init__(self, name: str = "bridge", *, seconds: float | None = None) -> None:
        self.name = name
        self.seconds = seconds
        self.ask: Ask | None = None
        """The current question; None before the first ask and after the last."""
        self.over = False
        self.late = ""
        """The message about an answer that did not come in time."""
        self._told: list[str] = []
        self._answers: list[Any] = []
        self._asked = 0
        self._gone = False
        self._wanted = self._heard = False
        self._changed = Condition()

    def feedback(self, told: Ask) -> None:
        """Keep the message for the next time that the other side looks."""
        with self._changed:
            self._told.append(prompt_text(told.prompt))

    def end(self, outcome: Outcome) -> None:
        """Tell the other side that nothing more is asked."""
        self.stop(prompt_text(outcome.prompt))

    def stop(self, words: str) -> None:
        """End from outside, with words for those who wait."""
        with self._changed:
            if not self.over:
                self._told.append(words)
            self.ask, self.over = None, True
            self._changed.notify_all()

    def abandon(self) -> None:
        """Report that no answer will come any more."""
        with self._changed:
            self._gone = True
            self._changed.notify_all()

    def __call__(self, ask: Ask) -> Any:
        with self._changed, OwnLimits():
            self.ask = ask
            self._asked += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._heard or self._gone)
            if not self._changed.wait_for(lambda: self._answers or self._gone, self.seconds):
                self.late = f"Timed out: no answer within {self.seconds:g} s."
                self.stop(f"{self.late} The session is over.")
                raise SubjectTimedOut(self.late)
            if not self._answers:
                raise Abandoned
            return self._answers.pop()

    def wanted(self) -> bool:
        """Wait until the other side first wants to know something; False where it leaves before."""
        with self._changed:
            self._changed.wait_for(lambda: self._wanted or self._gone)
            return self._wanted

    def look(self) -> None:
        """Wait for the first ask without starting the time for its answer."""
        with self._changed:
            self._wanted = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self.ask is not None or self.over)

    def first(self) -> str:
        """Wait for the first ask, and return its words; those of the present one if it was asked already."""
        with self._changed:
            self._wanted = self._heard = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self.ask is not None or self.over)
            return self._words(keep=True)

    def give(self, answer: Any) -> tuple[bool, str]:
        """Answer, wait for what comes of it, and say whether the answer was taken, and the words that follow."""
        with self._changed:
            self.first()
            if self.over:
                return False, self._words(keep=True)
            before, asked = self.ask, self._asked
            self._told.clear()
            self._answers.append(answer)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._asked > asked or self.over)
            # The very same ask again: what was given was not valid, and the words say why. A question is asked again;
            # what stands on a desk is not read out again for a call that made no sense.
            taken = self.ask is not before or self.over
            acting = before is not None and before.space is not None and before.space.acts
            return taken, self._words(keep=False, asked=taken or not acting)

    def _words(self, *, keep: bool, asked: bool = True) -> str:
        shown = list(self._told)
        if not keep:
            self._told.clear()
        if asked and self.ask is not None:
            shown.append(prompt_text(self.ask.prompt))
        return "\n\n".join(part for part in shown if part) or "The session is over."
