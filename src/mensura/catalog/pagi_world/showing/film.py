"""Film: a session as drawings one after the other, or as a page that stands alone."""

from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.pagi_world.showing.stage import RoomStage
from mensura.catalog.pagi_world.showing.watching import RoomWatch, after
from mensura.exhibit.alone_page import alone_page

MOST_DRAWINGS = 1200
PACKAGE = "mensura.catalog.pagi_world"
SCRIPTS = ("room_canvas.js", "senses.js", "part.js", "frames.js", "watch.js")
STYLES = ("alone.css", "play.css", "watch.css")


def watch_page(data: Mapping[str, Any], *, title: str) -> str:
    """Return the page on which a room is watched, as one file."""
    return alone_page(PACKAGE, "watch.html", scripts=SCRIPTS, styles=STYLES, data=data, title=title)


def drawings(watch: RoomWatch, *, per_second: float) -> Iterator[str]:
    """Draw a session as SVG, so many drawings for a second of the room; of a long one only some, evenly spread."""
    found = watch.data()
    moments = list(_moments(found["frames"]))
    stage = RoomStage(found["look"], _box([scene for _, scene in moments]), found["room"])
    rate, first, last = found["rate"], moments[0][0], moments[-1][0]
    count = min(MOST_DRAWINGS, max(1, round((last - first) / rate * per_second)))
    shown = iter(moments)
    tick, scene = next(shown)
    coming = next(shown, None)
    for number in range(count + 1):
        wanted = first + (last - first) * number / count
        while coming is not None and coming[0] <= wanted:
            tick, scene = coming
            coming = next(shown, None)
        succeeded = scene["state"][0]
        words = {True: " · solved", False: " · not solved"}.get(succeeded, "")
        yield stage.draw(scene, f"{tick / rate:.2f} s{words}")


def _moments(frames: list[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    things: dict[str, dict[str, Any]] = {}
    rest: dict[str, Any] = {}
    for frame in frames:
        things = after(things, frame)
        rest = {**rest, **frame}
        yield frame["tick"], {**rest, "things": list(things.values())}


def _box(scenes: list[dict[str, Any]]) -> tuple[float, float, float, float]:
    """Return what bodies and movable things pass through, with some room around it: the floor may go on for ever."""
    places = [place for scene in scenes for agent in scene["agents"] for place in (agent["at"], *agent["hands"])]
    first = {thing["name"]: thing["at"] for thing in scenes[0]["things"]}
    for scene in (scenes[0], scenes[-1]):
        for thing in scene["things"]:
            small = max(thing.get("size") or (1,)) <= 10
            if small or first.get(thing["name"]) != thing["at"]:
                places.append(thing["at"])
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return min(xs) - 3, min(ys) - 3, max(xs) + 3, max(ys) + 3
