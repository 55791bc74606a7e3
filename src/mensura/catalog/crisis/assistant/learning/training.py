"""Training: sessions from which the assistant learns; their user is a script that is told each mail's key."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mensura.catalog.crisis.act import Act, call, same, when
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.learning.learned import Learned, LearnedFrom
from mensura.catalog.crisis.assistant.learning.observing import observe
from mensura.catalog.crisis.assistant.role import Radar
from mensura.catalog.crisis.assistant.workflow import ENOUGH, ways
from mensura.catalog.crisis.office.history import Said
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.request import Proposal, Request
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.settings import ASSISTED, BASE, RADAR, price
from mensura.catalog.crisis.subjects.settling import acts_for
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.mail import Letter
from mensura.dialogue import Ask
from mensura.errors import BadParameter

QUESTIONS = 14
"""How many of the assistant's questions the user looks up in a session."""
REQUESTS = 40
"""For how many slots the user asks, in all."""
WORTH_SAYING = ("crisis", "moved", "asked", "spent", "open", "great move", "move")
"""Kinds of items that this user leaves in a briefing: what the chair can act on, not how busy the office was."""


class TrainingDay:
    """One session: a user who understands mail works through it with the assistant.

    This is no ordinary use: the user takes from each mail's key what it asks for and from the world what rooms hold,
    and makes no mistakes. The assistant sees only what is done in the office.
    """

    def __init__(self, world: Conference, radar: Radar) -> None:
        self.world = world
        self.office = OfficeState(world, tools=BASE | RADAR)
        self.before = Known(known(self.office))
        self._radar = radar

    def work(self) -> None:
        """Work through the day: mail as it comes, the schedule, the site, the briefing."""
        for letter in self.office.index.letters:
            if letter.tick >= 0:
                self._wait_for(letter)
                self._read(letter)
        self._look_up()
        self._replan()
        self._ask_around()
        self._do(call("optimise"), accept=True)
        self._publish()
        self._brief()

    def _wait_for(self, letter: Letter) -> None:
        if self.office.now < letter.tick:
            self._do(call("wait", seconds=letter.tick - self.office.now))

    def _read(self, letter: Letter) -> None:
        self._do(call("read", message=letter.id))
        wanted = [
            one
            for task in letter.tasks
            for one in acts_for(task, message=letter.id, world=self.world, constraints=True)
        ]
        if wanted:
            said = self._do(call("suggest", message=letter.id))
            proposed = said.data.get("proposal", {"acts": []})
            right = [
                number
                for number, one in enumerate(proposed["acts"], start=1)
                if any(same(one, mine) for mine in wanted)
            ]
            if right:
                self._do(call("accept", proposal=proposed["id"], parts=" ".join(map(str, right))))
            for mine in wanted:
                if not any(same(proposed["acts"][number - 1], mine) for number in right):
                    self._do(mine)
        if any(task.kind == "crisis" for task in letter.tasks):
            self._do(call("optimise"))
        if any(task.kind == "briefing" for task in letter.tasks):
            self._do(call("draft"))
        if any(task.kind == "publish" for task in letter.tasks):
            self._do(call("batch"))

    def _look_up(self) -> None:
        """Answer the assistant's questions from the rooms' pages, and enter what is not as the tables say."""
        for _ in range(QUESTIONS):
            said = self._do(call("elicit"))
            ranked = said.data.get("proposal", {}).get("ranked", [])
            if not ranked:
                return
            room, asked = self.world.room[ranked[0]["room"]], ranked[0]["facts"]
            self._do(call("look", page="room", item=room.id))
            table = self.office.facts
            for layout, seats in room.capacity.items():
                fact = f"capacity.{layout}"
                if not table.capacity.get((room.id, layout)) == asked.get(fact, seats) == seats:
                    self._do(call("set_room_fact", room=room.id, fact=fact, value=str(seats)))
            if not set(table.equipment[room.id]) == set(asked.get("equipment", room.equipment)) == set(room.equipment):
                items = ", ".join(room.equipment) or "none"
                self._do(call("set_room_fact", room=room.id, fact="equipment", value=items))

    def _replan(self) -> None:
        for _ in range(3):
            self._do(call("optimise"), accept=True)
            self._do(call("wait", seconds=400))

    def _ask_around(self) -> None:
        """Ask for further rooms, as someone does who wants every event in a good place: once for each purpose."""
        seen = set()
        for room in self.world.rooms:
            for held in room.reservations:
                if len(self.office.bumps) >= REQUESTS:
                    return self._do_nothing()
                if (held.owner, held.purpose) not in seen and room.usable:
                    seen.add((held.owner, held.purpose))
                    self._do(call("ask_room", room=room.id, **when(held.slot)))
        self._do_nothing()

    def _do_nothing(self) -> None:
        self._do(call("wait", seconds=400))

    def _publish(self) -> None:
        """Change the first few announcements by hand, then let the assistant do the rest."""
        now = Known(known(self.office))
        for entry in list(self._wrong(now))[:ENOUGH]:
            place = self.office.place[entry["event"]]
            assert place is not None
            written = ways(now, place)
            for field in ("room", "time"):
                self._do(call("edit_entry", entry=entry["id"], field=field, value=written[field]))
        self._do(call("batch"), accept=True)

    def _wrong(self, now: Known) -> Iterator[Mapping[str, Any]]:
        for entry in now.raw["entries"]:
            place = self.office.place.get(entry["event"])
            event = self.world.event.get(entry["event"])
            if event is not None and place is not None and place != (event.room, event.slot):
                yield entry

    def _brief(self) -> None:
        """Take from the draft and what it leaves out the items that the chair can act on."""
        said = self._do(call("draft"))
        ranked = said.data["proposal"]["ranked"]
        kept = [item["words"] for item in ranked if item["kind"] in WORTH_SAYING]
        self._do(call("brief", text="\n".join(f"- {words}" for words in kept[:12])))

    def _do(self, one: Act, *, accept: bool = False) -> Said:
        now = self.office.now + price(one)
        said = self.office.act("subject", one["call"], one["arguments"], now=now)
        if one["call"] in ASSISTED and said.ok:
            request = Request(one["call"], said.data["about"], known=known(self.office))
            answer = PROPOSAL.check(self._radar(Ask(request, PROPOSAL, role="assistant")))
            said = self.office.propose(answer, now=now)
            if accept and said.data["proposal"]["acts"]:
                return self._do(call("accept", proposal=said.data["proposal"]["id"]))
        return said


PROPOSAL = Proposal()


def train(packages: Iterable[str]) -> Learned:
    """Let the assistant work through training packages one after another and learn from each session.

    Raises
    ------
    BadParameter
        When a package is not for training.
    """
    from mensura.catalog.crisis.packages.build import build_world
    from mensura.catalog.crisis.packages.find import find_package

    learned = Learned()
    for name in packages:
        package = find_package(name)
        if package.purpose != "training":
            raise BadParameter(
                f"{name} is a {package.purpose} package; the assistant may learn from training packages only, such as "
                "training-1."
            )
        learn_from(build_world(name), learned, seed=package.source_seed)
    return learned


def learn_from(world: Conference, learned: Learned, *, seed: int) -> TrainingDay:
    """Give one lesson in a world and add it to what was learned."""
    lesson = TrainingDay(world, Radar(learned))
    lesson.work()
    after = Known(known(lesson.office))
    source = LearnedFrom(world.name, world.purpose, world.hash, seed, after.campus)
    observe(learned, lesson.before, after, source=source)
    return lesson
