"""Log: numbers the events of a session, keeps its rolling digest, and holds new events until a driver stores them."""

from typing import Any, Literal

from mensura.dialogue.ask import Ask
from mensura.dialogue.canonical import canonical
from mensura.dialogue.clock import Clock
from mensura.dialogue.prompts.base import prompt_data
from mensura.dialogue.session.digest import Digest
from mensura.dialogue.session.event import Event, Kind
from mensura.dialogue.spaces.base import Outside

Trace = Literal["none", "summary", "full"]


class Log:
    """The growing end of a session's log; what was drained is no longer here, so long sessions stay small."""

    def __init__(self, trace: Trace, clock: Clock) -> None:
        self.trace = trace
        self.clock = clock
        self.number = 0
        self.recorded = 0
        """Events up to this number are in the record already; a replay passes over them."""
        self.writing = trace != "none"
        self.digest = Digest() if trace != "none" else None
        self.digests: dict[int, str] = {}
        """Digests by event number, which a replay compares with those recorded."""
        self._events: list[Event] = []

    def add(self, kind: Kind, role: str = "", key: str = "", value: Any = None, **more: Any) -> None:
        """Number an event, and keep it if events are written."""
        self.number += 1
        if self.writing and self.number > self.recorded:
            self._events.append(Event(self.number, kind, role, key, self.clock.now, value, **more))

    def add_ask(self, ask: Ask) -> None:
        """Log an ask, or a tell if it has no space, under the number it was given."""
        if self.writing and self.number > self.recorded:
            space = ask.space
            kind: Kind = "tell" if space is None else "ask"
            content = None
            if self.trace == "full":
                content = {"prompt": prompt_data(ask.prompt), "space": None if space is None else space.data()}
            reward = None if ask.reward is None else float(ask.reward)
            name = None if space is None else space.kind
            now = self.clock.now
            self._events.append(
                Event(self.number, kind, ask.role, ask.key, now, name, reward, ask.until, content=content)
            )
        if self.digest is not None and self.digest.add(ask):
            self.add_digest()

    def add_digest(self) -> None:
        """Log the digest of all asks so far."""
        assert self.digest is not None
        value = self.digest.close()
        self.add("digest", value=value)
        self.digests[self.number] = value

    @property
    def drained(self) -> int:
        """The number of the last event that was taken."""
        return self._events[0].number - 1 if self._events else self.number

    def drain(self, *, up_to: int | None = None) -> list[Event]:
        """Take the events since the last time; with a number, only those up to it."""
        events, self._events = self._events, []
        if up_to is not None:
            self._events = [event for event in events if event.number > up_to]
            events = [event for event in events if event.number <= up_to]
        return events


def loggable(value: Any) -> Any:
    """Keep an invalid answer as JSON if it is some, else as the text of it; never more than a page of it."""
    value = value.action if isinstance(value, Outside) else value
    try:
        text = canonical(value)
    except (TypeError, ValueError):
        return repr(value)[:2000]
    return value if len(text) <= 10_000 else text[:10_000]
