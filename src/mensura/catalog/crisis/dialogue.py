"""The crisis: a person or a program replans a conference in an office, with or without an assistant."""

from collections.abc import Generator, Sequence
from typing import Annotated, Any

import numpy as np

from mensura.catalog.crisis.assistant.learning.learned import Ablated
from mensura.catalog.crisis.desk import make_desk
from mensura.catalog.crisis.office.history import Said
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.replay import truth_of
from mensura.catalog.crisis.office.request import Proposal, Request
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.office.visible_parts import VisibleParts
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.packages.find import PackageName
from mensura.catalog.crisis.scoring.panel import JUDGED
from mensura.catalog.crisis.scoring.scoring import floor_of, score, scores
from mensura.catalog.crisis.settings import ASSISTED, SETTINGS, Condition, Halves, Workplace, find_condition, price
from mensura.catalog.crisis.subjects import SUBJECTS
from mensura.catalog.crisis.survey.survey import PREFIX as SURVEY
from mensura.catalog.crisis.survey.survey import survey as questionnaire
from mensura.catalog.crisis.tools import acts_of
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.mail import Letter
from mensura.catalog.crisis.world.original import original_svg
from mensura.dialogue import SUBJECT, Ask, Break, Clock, Outcome, Round, Save, Timing, test
from mensura.errors import BadParameter, MensuraError
from mensura.exhibit import Exhibit, Group

Dialogue = Generator[Ask | Round | Save | Break, Any, Outcome]
Step = Generator[Ask | Round, Any, None]
PROPOSAL = Proposal()
MOST_IDLE = 10_000
"""Asks in a row that come to nothing while the clock stands still: then everyone has left for good."""
DEFAULT = "default"
"""What the assistant learned in training, as it comes with the test."""
HELPER, ASSISTANT = "helper", "assistant"
HELPER_OVER = (
    "Your time in the office is over. Thank you for helping. Your colleague answers some questions now; you need not "
    "wait."
)


def roles_of(*, condition: str = "agent", **others: Any) -> tuple[str, ...]:
    """Return who takes part in a condition."""
    return find_condition(condition).roles


def chance_levels(*, package: str = "crisis-1", **others: Any) -> dict[str, float]:
    """Return what random acts score: they name nothing that is there, so it is what doing nothing scores."""
    return floor_of(build_world(package))


def exhibits_of(groups: Sequence[Group]) -> list[Exhibit]:
    """Show a study as the source does; its statistics are heavy and wait until they are wanted."""
    from mensura.catalog.crisis.study.exhibits import exhibits

    return exhibits(groups)


@test(
    "crisis-v2",
    score=score,
    scores=scores,
    scoring="3",
    roles=roles_of,
    played={ASSISTANT: "radar"},
    judged=JUDGED,
    exhibits=exhibits_of,
    subjects=SUBJECTS,
    settings=SETTINGS,
    chance=chance_levels,
    timing=Timing(people="wall", tick_seconds=1, cost=price),
)
def crisis(
    rng: np.random.Generator,
    *,
    clock: Clock,
    saved: dict[str, Any] | None = None,
    condition: Condition = "agent",
    package: PackageName = "crisis-1",
    minutes: Annotated[
        int | None,
        "How many minutes a session lasts, 1 or more; none: as long as its package says.",
    ] = None,
    learned: Annotated[
        str,
        "A file of what the assistant learned (`mensura generate crisis-learning` writes one); none: what comes "
        "with the test, in conditions whose assistant has learned.",
    ] = "",
    ablate: Ablated = "",
    survey: Annotated[bool, "Whether a survey follows the work."] = False,
) -> Dialogue:
    """Replan a conference in a crisis, answer its mail, publish the schedule and write a briefing."""
    world, has, checksum = prepare(package, condition, minutes=minutes, learned=learned, ablate=ablate)
    minutes = minutes or world.minutes
    desk = Working(world, has, clock, Halves(minutes * 30, minutes * 60), learned=learned, ablate=ablate)
    if saved is None:
        truth = truth_of(world, package, learned=checksum, condition=condition)
        yield Ask(introduction(world, has, minutes=minutes), key="world", truth=truth)
        if has.helper:
            yield Ask(introduction(world, has, minutes=minutes), key="helper", role=HELPER)
        yield from desk.work(until=desk.halves.half, latest=desk.halves.latest)
        if not desk.over:
            yield Ask(desk.summary(), key="half")
            yield Save(desk.state())
    else:
        desk.restore(saved)
    if not desk.over:
        yield Break("Half of the time is over. Take a break; no mail arrives until you go on.")
        yield from desk.work(until=desk.halves.end, latest=desk.halves.end)
    desk.office.arrive(min(clock.now, desk.halves.end))
    if survey:
        if has.helper:
            yield Ask(HELPER_OVER, key="over", role=HELPER)
        yield from questionnaire().ask(rng, {}, prefix=SURVEY)
    return Outcome("Your time in the office is over. Thank you for standing in.")


def prepare(
    package: str, condition: str, *, minutes: int | None, learned: str, ablate: str
) -> tuple[Conference, Workplace, str]:
    """Find world, condition and the checksum of what was learned; refuse at once what cannot be."""
    if minutes is not None and minutes < 1:
        raise BadParameter(f"A session lasts at least a minute; got --minutes {minutes}.")
    checksum = ""
    try:
        world, has = build_world(package), find_condition(condition)
        # Where nothing is learned these two change nothing, but a name that is wrong is wrong everywhere.
        if has.learning or learned or ablate:
            from mensura.catalog.crisis.assistant.learning.learned import check_apart, read_learned

            store = read_learned(learned or (DEFAULT if has.learning else "")).without(names_in(ablate))
            check_apart(store, package=world.name, purpose=world.purpose, seed=world.seed, hash=world.hash)
            checksum = store.sha256 if has.learning else ""
    except MensuraError as wrong:
        raise BadParameter(str(wrong)) from wrong
    return world, has, checksum


def names_in(text: str) -> tuple[str, ...]:
    """Read names with commas or blanks between them.

    >>> names_in("classifier, drafter")
    ('classifier', 'drafter')
    """
    return tuple(text.replace(",", " ").split())


class Working:
    """The hours in the office: who has just been told what, and how acts are asked for."""

    def __init__(
        self, world: Conference, has: Workplace, clock: Clock, halves: Halves, *, learned: str, ablate: str
    ) -> None:
        self.office = OfficeState(world, tools=has.tools, checks=has.checks, marked=has.assistant == "none")
        self.showing = VisibleParts(self.office)
        self.has = has
        self.clock = clock
        self.halves = halves
        self.learned = (learned or DEFAULT) if has.learning else ""
        self.ablate = names_in(ablate)
        self.space = acts_of(has.tools)
        self.workers = (SUBJECT, HELPER) if has.helper else (SUBJECT,)
        mail = len(self.office.mailbox)
        welcome = f"You sit down at your desk. The mailbox holds {mail} messages from before you came."
        self.said = {role: Said(True, welcome) for role in self.workers}
        self.shown = dict.fromkeys(self.workers, mail)
        """How many messages each has been shown as new or old."""
        self.labelled = mail

    @property
    def over(self) -> bool:
        """Whether nothing more can be done."""
        return self.office.finished or self.clock.now >= self.halves.end

    def work(self, *, until: int, latest: int) -> Step:
        """Let everyone act until a tick has passed; asks lapse only at the latest tick, so that no act is cut off."""
        idle = 0
        while self.clock.now < until and not self.office.finished and idle < MOST_IDLE:
            before = self.clock.now
            self.office.arrive(before)
            if self.has.labels:
                yield from self._label()
            asks = [self._ask(role, latest) for role in self.workers if role not in self.office.left]
            if len(asks) == 1:
                act = yield asks[0]
                acts = {} if act is None else {SUBJECT: act}
            else:
                acts = yield Round(asks, need="any", until=latest)
            for role, act in acts.items():
                yield from self._do(role, act["call"], act["arguments"])
            idle = 0 if acts or self.clock.now > before else idle + 1

    def summary(self) -> str:
        """Return what was done so far, for the record of the break; how good it was is not said."""
        office = self.office
        moved = sum(office.schedule.place.get(event) != where for event, where in office.world.origin.items())
        changed = sum(office.site[entry] != fields for entry, fields in office.index.site.items())
        return (
            f"So far: messages read: {len(office.read)}, sent: {len(office.sent)}; events moved: {moved}; rooms asked "
            f"for: {len(office.bumps)}; orders made, changed or cancelled: {len(office.payments)}; entries of the site "
            f"changed: {changed}; words of briefing: {len(office.briefing.split())}."
        )

    def state(self) -> dict[str, Any]:
        """Return all that is needed to go on: every input so far, and what everyone was last told."""
        return {
            "journal": [list(each) for each in self.office.journal],
            "now": self.office.now,
            "said": {role: said.json() for role, said in self.said.items()},
            "shown": dict(self.shown),
            "labelled": self.labelled,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Resume from a state."""
        self.office.again(state["journal"])
        self.office.arrive(state["now"])
        self.said = {role: Said(**said) for role, said in state["said"].items()}
        self.shown = dict(state["shown"])
        self.labelled = state["labelled"]

    def _ask(self, role: str, latest: int) -> Ask:
        letters = self._since(self.shown[role])
        self.shown[role] += len(letters)
        desk = make_desk(self.office, self.said[role], letters, end=self.halves.end, whole=self._whole(role))
        return Ask(desk, self.space, key="act", role=role, until=latest, aside=self.office.world)

    def _whole(self, role: str) -> dict[str, Any]:
        whole = {
            "office": self.showing.now(),
            "tools": sorted(self.has.tools),
            "role": role,
            "next": self._next(),
            "task": introduction(self.office.world, self.has, minutes=self.halves.end // 60),
        }
        if self.said[role].data.get("page") == "original":
            whole["original"] = original_svg(self.office.world)
        return whole

    def _next(self) -> int | None:
        """Return when something happens by itself, mail or the break, but not what: a mere reader looks then."""
        half = self.halves.half if self.office.now < self.halves.half else None
        return min((tick for tick in (self.office.next_arrival(), half) if tick is not None), default=None)

    def _do(self, role: str, call: str, arguments: dict[str, Any]) -> Step:
        said = self.office.act(role, call, arguments, now=self.clock.now)
        if call in ASSISTED and said.ok and self.has.assistant != "none":
            answer = yield from self._request(call, said.data["about"])
            said = self.office.propose(answer, now=self.clock.now)
        self.said[role] = said

    def _label(self) -> Step:
        """Let the assistant stick labels on mail that has come, before anyone sees it."""
        letters = self._since(self.labelled)
        self.labelled += len(letters)
        if letters:
            answer = yield from self._request("label", {"messages": [letter.id for letter in letters]})
            self.office.propose(answer, now=self.clock.now)

    def _request(self, kind: str, about: dict[str, Any]) -> Generator[Ask, Any, Any]:
        """Ask the assistant, whose answer takes no time of anyone's."""
        request = Request(kind, about, self.learned, self.ablate, known(self.office))
        answer = yield Ask(request, PROPOSAL, key=f"assistant:{kind}", role=ASSISTANT)
        return answer

    def _since(self, count: int) -> list[Letter]:
        """Return the mail that has come since the mailbox held so many."""
        mailbox = self.office.mailbox
        return [] if len(mailbox) == count else list(mailbox.values())[count:]


def introduction(world: Conference, has: Workplace, *, minutes: int) -> str:
    """Tell the beginner what this is about."""
    away, boss = world.person[world.predecessor].name, world.person[world.boss].name
    company = " A colleague sits in the same office with the same tools; you share your notes." if has.helper else ""
    assistant = (
        " An assistant program labels mail and marks on the portal which rooms are lost, as it reads the mail; it may "
        "misread, and only the mail shows where. What it proposes when asked is done only if you accept it."
    ) * (has.assistant != "none")
    return (
        f"You stand in for {away}, who plans the {world.title} and has fallen ill. You have {minutes} minutes in the "
        f"office. Mail arrives while you work: some of it matters, some does not. Keep the schedule such that the "
        "manual's rules and people's requests are met, order what events need, bring the conference's web site up to "
        f"date, and write a briefing of what today's mail brought for {boss}, the chair. Money counts, and so does how "
        f"often you ask others to give up a room.{company}{assistant} The pages `manual` and `help` say more."
    )
