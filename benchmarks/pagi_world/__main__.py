"""PAGI World: `python -m benchmarks.pagi_world [SECONDS OF WALL]`: processor time of one process, and a served room."""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.pagi_world.serving import counted, replayed, wall
from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.rooms.room import draw_room, find_room
from mensura.catalog.pagi_world.water.pool import WaterPool


def _rate(count: int, work: object) -> float:
    began = time.process_time()
    for _ in range(count):
        work()  # type: ignore[operator]
    return count / (time.process_time() - began)


def crowd(bodies: int) -> RoomPlay:
    """Return a room with so many bodies and a reflex that looks at touch and speed."""
    room = dict(find_room("open"))
    kinds = ("apple", "wallBlock", "baseball", "iceBlock", "block")
    room["things"] = [
        *room["things"],
        *({"kind": kinds[n % 5], "name": f"b{n}", "at": [3 * (n % 18) - 27, 3 * (n // 18) - 6]} for n in range(bodies)),
    ]
    room["seconds"] = 36_000
    play = RoomPlay(draw_room(room, np.random.default_rng(0)), PlayTerms(reports=False))
    play.call("subject", [("setReflex", "r", "L0_tmp>100;Sx}[2*Sy]", [("addForce", "LHV", 50)])])
    return play


def main(seconds: str = "10") -> None:
    """Print ticks a second, water, vision, commands over TCP, replays, and lateness for `seconds` of wall."""
    play = crowd(50)
    senses = play.places["subject"].senses
    touched = [f"B{n}" for n in range(8)] + [f"{hand}{n}" for hand in "LR" for n in range(5)]

    def tick() -> None:
        play.step()
        for code in touched:
            senses.touch(code)

    _rate(100, play.step)
    print(f"50 bodies, reflex: {_rate(2000, play.step):,.0f} ticks/s; with 18 touches {_rate(2000, tick):,.0f}")
    senses.sight.look(play.world.avatars["subject"], "V")
    looks = _rate(300, lambda: senses.sight.look(play.world.avatars["subject"], "V"))
    print(f"detailed vision: {1000 / looks:.2f} ms")
    wet = crowd(0)
    wet.world.pool = WaterPool.fill({"boxes": [[-29, -10, -21, -5.3]]})
    _rate(10, wet.step)
    print(f"{wet.world.pool.count} particles: {_rate(300, wet.step) / 60:.1f} times real time")
    with TemporaryDirectory() as place:
        folder = Path(place)
        print(f"TCP, counted: {counted(folder):,.0f} commands of one step a second")
        for water in ("without", "with"):
            took = replayed(folder, water=water == "with")
            print(f"a minute of wall {water} water: {took:.2f} s to replay")
        late = wall(folder, float(seconds))
        print(f"wall, 4 agents: {late}")


if __name__ == "__main__":
    main(*sys.argv[1:])
