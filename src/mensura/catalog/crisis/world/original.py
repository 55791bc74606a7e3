"""The original schedule as it was printed: one large page, as PDF."""

from datetime import timedelta
from html import escape

from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.time import BLOCKS, DAYS, slot_of

_COLUMN = 400
_LINE = 13
_FONT = "Liberation Sans, Arial, Helvetica, sans-serif"


def original_pdf(drawn: str) -> bytes:
    """Print the announced schedule, drawn as SVG; its words can be searched and copied."""
    import vl_convert

    pdf: bytes = vl_convert.svg_to_pdf(drawn)
    return pdf


def original_svg(world: Conference) -> str:
    """Draw the announced schedule: days beside one another, blocks below one another, a line for each event."""
    marks: list[str] = []
    lowest = 0
    for day in range(DAYS):
        x, y = 20 + day * _COLUMN, 70
        date = world.first + timedelta(days=day)
        marks.append(_text(x, y, f"{date:%A} {date.day} {date:%B}", size=15, bold=True))
        for block, hours in enumerate(BLOCKS):
            y += 22
            marks.append(_text(x, y, hours, size=11, bold=True))
            for line in _lines(world, slot_of(day, block)):
                y += _LINE
                marks.append(_text(x + 8, y, line, size=9))
        lowest = max(lowest, y)
    width, height = 20 + DAYS * _COLUMN, lowest + 40
    title = _text(20, 36, world.title, size=22, bold=True)
    note = _text(20, lowest + 24, "Schedule as announced. Later changes are on the web site.", size=9)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<rect width="{width}" height="{height}" fill="white"/>{title}{"".join(marks)}{note}</svg>'
    )


def _lines(world: Conference, slot: int) -> list[str]:
    here = sorted((event for event in world.events if event.slot == slot), key=lambda event: (event.room, event.id))
    return [_line(world, event.id) for event in here]


def _line(world: Conference, id: str) -> str:
    event = world.event[id]
    blocks = f" ({event.length} blocks)" if event.length > 1 else ""
    title = f" – {event.title}" if event.title != event.short else ""
    words = f"{world.room[event.room].name}: {event.short}{blocks}{title}"
    return words if len(words) <= 84 else f"{words[:83]}…"


def _text(x: int, y: int, words: str, *, size: int, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" font-family="{_FONT}" font-size="{size}"{weight}>{escape(words)}</text>'
