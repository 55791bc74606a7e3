"""What the literature of PAGI World shows: who solves which room, and how that falls with latency."""

from collections.abc import Sequence
from typing import Any

from mensura.exhibit import Exhibit, Figure, Group
from mensura.exhibit.exhibit import Cell

SHOWN = ("success", "time", "endorphins")


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Return success by room and latency; with several latencies of a room, a curve of each room too."""
    held = [group for group in groups if "success" in group.estimates]
    if not held:
        return []
    found = [_table(held)]
    for room in sorted({str(group.parameters["room"]) for group in held}):
        of_room = [group for group in held if group.parameters["room"] == room]
        if len({group.parameters["latency"] for group in of_room}) > 1:
            found.append(_curve(room, of_room))
    return found


def _table(groups: Sequence[Group]) -> Exhibit:
    rows: list[list[Cell]] = [
        [group.name, group.parameters["room"], group.parameters["latency"], *map(group.estimates.get, SHOWN)]
        for group in sorted(groups, key=lambda one: (one.parameters["room"], one.parameters["latency"], one.name))
    ]
    words = "Solved rooms and seconds; a room that is not solved has taken all its time."
    columns = ("who", "room", "latency in ms", "solved", "seconds", "endorphins")
    return Exhibit("Rooms solved", words, columns=columns, rows=rows)


def _curve(room: str, groups: Sequence[Group]) -> Exhibit:
    dots = [
        {
            "who": group.name.partition(" in ")[0],
            "latency": group.parameters["latency"],
            "solved": group.estimates["success"].value,
            "low": group.estimates["success"].low,
            "high": group.estimates["success"].high,
        }
        for group in groups
    ]

    def chart() -> Any:
        import altair as alt

        base = alt.Chart(alt.InlineData(values=dots)).encode(x=alt.X("latency:Q", title="latency in ms"), color="who:N")
        line = base.mark_line(point=True).encode(y=alt.Y("solved:Q", scale=alt.Scale(domain=[0, 1])))
        return base.mark_rule().encode(y="low:Q", y2="high:Q") + line

    words = f"{room}: the share that is solved by the milliseconds until a call takes effect; bars are 95 % intervals."
    return Exhibit(f"Latency in {room}", words, figures=[Figure(chart, words)])
