"""Asking: the test's side of a session: what it asks now, whom, and how it ended."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, NoReturn

from mensura.dialogue.ask import Ask, Break, Outcome, Pass, Round, Save
from mensura.dialogue.clock import Clock
from mensura.dialogue.definition import Dialogue, Instance
from mensura.dialogue.prompts.base import PromptLike, prompt_data
from mensura.dialogue.session.event import Event
from mensura.dialogue.session.gathering import Gathering
from mensura.dialogue.session.limits import Limits
from mensura.dialogue.session.log import Log, Trace
from mensura.dialogue.session.snapshot import restore, snapshot
from mensura.dialogue.session.withheld import Withheld
from mensura.dialogue.streams import generator
from mensura.errors import BadParameter, BrokenTest, NotInstalled, raised

Status = Literal["open", "finished", "crashed", "timed_out", "invalid", "expired", "withdrawn", "broken", "lost"]


class Asking:
    """A test that goes on: the asks on the table, and the log of all that happened."""

    def __init__(
        self,
        instance: Instance,
        *,
        trace: Trace = "full",
        limits: Limits = Limits(),
        saved: dict[str, Any] | None = None,
    ) -> None:
        self.instance = instance
        self.limits = limits
        self.clock = Clock()
        self.log = Log(trace, self.clock)
        self.status: Status = "open"
        self.outcome = Outcome()
        self.last_words = ""
        self.in_vain: dict[str, Any] = {}
        """The notes of a subject for an answer that never came, of a session that was lost."""
        self.open: dict[str, Ask] = {}
        """The asks that wait for an answer, by role, without their truths."""
        self.asked: dict[str, int] = {}
        """The event number of each open ask: its address for pages, which may show an old one."""
        self.told: dict[str, list[Ask]] = {}
        """The messages to each role since it last answered."""
        self.paused: PromptLike | None = None
        """The text shown during a break; None when there is none."""
        self.stopped_by = ""
        """The observer who stopped the clock; only an observer lets it continue."""
        self.stopped_in_break = False
        """Whether a break stood when the clock was stopped, and stands again afterwards."""
        self.earned: dict[str, float] = {}
        """The reward that each role has earned and not collected."""
        self.turns = 0
        self.rng = generator(instance.seed, instance.address)
        self.gone: set[str] = set()
        """The roles that have left: what they are asked comes to nothing."""
        self._truths = Withheld(instance.knowing)
        self._dialogue: Dialogue | None = None
        self.gathering: Gathering | None = None
        """The answers of the round that goes on; None where a single role is asked."""
        self.meanwhile: Callable[[str], PromptLike | None] | None = None
        """The text for people who are not asked in this round; None where the test gives none."""
        self.answered: dict[str, dict[int, tuple[Ask, Any]]] = {}
        """Role → the numbers of asks that can be answered anew, each with its ask and what it was answered last."""
        self.wrong: dict[str, int] = {}
        """How many invalid answers came in a row, by role."""
        self.failed: tuple[Status, str] | None = None
        """How a subject failed whose asks the test still comes to the end of, and its last words."""
        self._saved = saved

    def start(self) -> None:
        """Begin the dialogue, from the save where there is one, up to the first ask."""
        if self._dialogue is None:
            state = None if self._saved is None else restore(self, self._saved)
            instance = self.instance
            self._dialogue = instance.test.begin(
                self.rng, self.clock, instance.parameters, saved=state, item=instance.address.item
            )
            self.step(None)

    def drain(self) -> list[Event]:
        """Take the events since the last time; the session keeps none."""
        return self.log.drain()

    def drain_truths(self) -> dict[str, Any]:
        """Take the truths of the asks since the last time, by key."""
        return self._truths.drain()

    def collect(self) -> dict[str, float]:
        """Take what each role has earned since the last time."""
        earned, self.earned = self.earned, dict.fromkeys(self.earned, 0.0)
        return earned

    @property
    def deadline(self) -> int | None:
        """The tick at which the next ask lapses."""
        deadlines = [due for ask in self.open.values() if (due := self.deadline_of(ask)) is not None]
        return min(deadlines, default=None)

    def deadline_of(self, ask: Ask) -> int | None:
        """Return the tick at which an ask lapses: its own, or that of the whole round."""
        whole = None if self.gathering is None else self.gathering.until
        if ask.until is None or whole is None:
            return whole if ask.until is None else ask.until
        return min(ask.until, whole)

    def go_on(self) -> None:
        """Step when the single ask is off the table, or when the round has what it needs."""
        gathering = self.gathering
        if gathering is None:
            if not self.open:
                self.step(None)
        elif not self.open or gathering.complete:
            if not gathering.stays:
                self.withdraw(list(self.open))
            self.gathering = None
            self.step(gathering.in_order())

    def withdraw(self, roles: list[str]) -> None:
        """Take back what is asked of some roles."""
        for role in roles:
            self.log.add("withdraw", role, self.open[role].key)
            del self.open[role], self.asked[role]

    def step(self, value: Any) -> None:
        """Send a value into the test, and go on until it asks, rests or ends."""
        if self.turns >= self.limits.turns:
            self.end("timed_out", Outcome(truncated=True), f"The limit of {self.limits.turns} turns was reached.")
            return
        send = self._dialogue.send  # type: ignore[union-attr]
        while True:
            try:
                item = send(value)
            except StopIteration as stop:
                self.withdraw(list(self.open))
                self.end("finished", stop.value if isinstance(stop.value, Outcome) else Outcome(), "")
                return
            except (BadParameter, NotInstalled) as error:
                # The user asked for what the test cannot be, or cannot be here; not the test's fault.
                self.end("broken", Outcome(truncated=True), str(error))
                raise
            except Exception as error:
                self._break(raised(error), error)
            value = None
            if self.open:
                held = [id(ask) for ask in item.asks] if isinstance(item, Round) else []
                self.withdraw([role for role, ask in self.open.items() if id(ask) not in held])
            if type(item) is Ask:
                self.meanwhile = None
                if self._put(item):
                    return
            elif isinstance(item, Round):
                if self._put_round(item):
                    return
                value = {}
            elif isinstance(item, Save):
                try:
                    self.log.add("save", value=snapshot(self, item.state))
                except (TypeError, ValueError) as error:
                    self._break(f"yields a Save whose state is not JSON: {error}", error)
                # From here a session may go on elsewhere, where nothing is known of what was answered before.
                self.answered.clear()
            elif isinstance(item, Pass):
                self.clock.now += max(0, item.ticks)
            elif isinstance(item, Break):
                self.paused = item.prompt
                self.log.add("pause", content={"prompt": prompt_data(item.prompt), "space": None})
                return
            else:
                self._break(f"yielded {type(item).__name__}; a test yields Ask, Round, Save, Break or Pass")

    def _put(self, ask: Ask) -> bool:
        """Lay an ask on the table; True if it waits for an answer."""
        log = self.log
        log.number += 1
        number = log.number
        if ask.truth is not None or ask.aside is not None or (log.writing and not ask.key):
            try:
                ask = self._truths.apart(ask, number)
            except ValueError as error:
                self._break(str(error))
        if log.writing:
            try:
                log.add_ask(ask)
            except (TypeError, ValueError, AttributeError) as error:
                self._break(f"yields an ask {ask.key!r} that cannot be written as JSON: {error}", error)
        role = ask.role
        if ask.reward is not None and role in self.earned:
            self.earned[role] += ask.reward
        if ask.space is None:
            self.told.setdefault(role, []).append(ask)
            return False
        if role in self.gone:
            log.add("withdraw", role, ask.key)
            return False
        self.open[role] = ask
        self.asked[role] = number
        if role not in self.earned:
            self.earned[role] = 0.0
        return True

    def _put_round(self, group: Round) -> bool:
        """Lay all asks of a round on the table; True if any waits for an answer."""
        try:
            self.gathering = Gathering(group)
        except ValueError as error:
            self._break(str(error))
        self.meanwhile = group.meanwhile
        waiting = [self.open.get(ask.role) is ask or self._put(ask) for ask in group.asks]
        if any(waiting):
            return True
        self.gathering = None
        return False

    def _break(self, what: str, cause: Exception | None = None) -> NoReturn:
        """End the session because the test itself is at fault."""
        self.end("broken", Outcome(truncated=True), what)
        raise BrokenTest(f"{self.instance.test.id} {what}. This is a fault of the test, not of the subject.") from cause

    def end(self, status: Status, outcome: Outcome, last_words: str) -> None:
        """End the session and log how; a failure that came before stays what it ended of."""
        if self.failed is not None:
            (status, last_words), outcome = self.failed, replace(outcome, truncated=True)
        self.status = status
        self.outcome = outcome
        self.last_words = last_words
        self.paused, self.stopped_by = None, ""
        self.open.clear()
        self.asked.clear()
        self.gathering = None
        for role, amount in outcome.shared(self.earned).items():
            self.earned[role] += amount
        if self._dialogue is not None and status != "finished":
            self._dialogue.close()
        if self.log.digest is not None:
            self.log.add_digest()
        shown = {"prompt": prompt_data(outcome.prompt), "reward": outcome.reward, "truncated": outcome.truncated}
        self.log.add("end", value={"status": status, "outcome": shown, "last_words": last_words})
