"""The original timetable: the agenda laid on the campus so that the manual's rules hold, and people given to events."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random

from mensura.catalog.crisis.schedule import span
from mensura.catalog.crisis.world.campus.place import Room
from mensura.catalog.crisis.world.people.ensemble import Ensemble
from mensura.catalog.crisis.world.programme.agenda import AgendaItem
from mensura.catalog.crisis.world.programme.board import Board
from mensura.catalog.crisis.world.programme.event import Talk
from mensura.catalog.crisis.world.programme.ruling import neighbours, sequence
from mensura.catalog.crisis.world.programme.sketch import Sketch
from mensura.catalog.crisis.world.programme.titles import TALKS, Titles
from mensura.errors import BadFile

# The planner takes the union first, then the building next to it; the hotel costs money.
_LIKED = {"union": 4.5, "north": 3.5, "south": 2.2, "hotel": 1.5}
_TRIES = 60


def lay_out(agenda: Sequence[AgendaItem], *, rooms: Sequence[Room], rng: Random, place: str) -> Board:
    """Place every event; the rules of the manual hold for all of them.

    Raises
    ------
    BadFile
        When the campus is too small for the agenda.
    """
    drafts = [item.draft for item in agenda]
    for _ in range(_TRIES):
        board = Board(rooms, before=sequence(drafts), near=neighbours(drafts))
        if all(_lay(item, board=board, rng=rng) for item in agenda):
            return board
    raise BadFile(
        f"{place}: parameters.papers: {len(agenda)} events do not fit on this campus; draw fewer papers, "
        "more tracks, or another campus."
    )


def _lay(item: AgendaItem, *, board: Board, rng: Random) -> bool:
    draft = item.draft
    places = [
        (room, slot)
        for room, slot in board.candidates(draft, slots=item.times)
        if board.rooms[room].assumed.get(draft.layout, 0) >= draft.attendance
    ]
    if not places:
        return False

    def worth(place: tuple[str, int]) -> float:
        room = board.rooms[place[0]]
        crowd = sum(len(board.during.get(slot, ())) for slot in span(place[1], draft.length)) / draft.length
        waste = room.capacity[draft.layout] / draft.attendance
        lacking = len(set(draft.needs) - set(room.equipment))
        return _LIKED[room.building] - 0.8 * crowd - 0.9 * waste - 1.2 * lacking + rng.random() * 3

    room, slot = max(places, key=worth)
    board.lay(draft, room=room, slot=slot)
    return True


def give_people(board: Board, *, cast: Ensemble, titles: Titles, rng: Random) -> list[str]:
    """Write talks and give them speakers, and chairs to sessions; nobody is in two places at once.

    Returns
    -------
    list of str
        Ids of all who speak.
    """
    committee = [cast.add(post="programme committee").id for _ in range(14)]
    busy: dict[int, set[str]] = defaultdict(set)
    speakers: list[str] = []
    for id, (_, slot) in board.place.items():
        draft = board.drafts[id]
        slots = list(span(slot, draft.length))
        taken: set[str] = set()
        for _ in range(_talks(draft, rng)):
            again = [one for one in speakers if one not in taken and not any(one in busy[each] for each in slots)]
            if again and rng.random() < 0.14:
                speaker = rng.choice(again)
            else:
                speaker = cast.add(post=_post(draft)).id
                speakers.append(speaker)
            taken.add(speaker)
            title = draft.title if draft.kind in ("keynote", "plenary", "tutorial") else titles.draw(TALKS)
            draft.talks.append(Talk(id=f"{draft.id}-t{len(draft.talks) + 1}", title=title, speaker=speaker))
        if draft.kind in ("papers", "panel", "keynote", "plenary", "meeting", "workshop", "posters"):
            free = [one for one in committee if one not in taken and not any(one in busy[each] for each in slots)]
            draft.chair = rng.choice(free) if free else cast.add(post="session chair").id
            taken.add(draft.chair)
        for each in slots:
            busy[each] |= taken
    board.learn_people()
    return speakers


def _talks(draft: Sketch, rng: Random) -> int:
    return {
        "keynote": 1, "plenary": 1, "papers": rng.choice((2, 2, 3)), "panel": 3, "posters": 9, "tutorial": 1,
        "workshop": 2,
    }.get(draft.kind, 0)  # fmt: skip


def _post(draft: Sketch) -> str:
    return {"keynote": "keynote speaker", "plenary": "invited speaker", "panel": "panellist"}.get(draft.kind, "speaker")
