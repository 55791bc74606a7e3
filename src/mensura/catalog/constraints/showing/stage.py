"""Stage: a network at the end of a cycle, drawn as SVG with the letters that were sent in it."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from mensura.catalog.constraints.showing.watching import ASSIGN

WIDTH, HEIGHT, EDGE, FOOT = 640, 560, 34, 44
VALUES = ("#4c78a8", "#f2a33a", "#5aa469", "#b07aa1", "#e5c84a", "#76b7b2", "#d37295", "#9c755f", "#8cb4d8", "#a0a0a0")
KINDS = ("#005a8c", "#b3261e", "#2f7d32", "#7b3fa0", "#7a4300", "#00796b")
MOST_DOTS = 600
FONT = 'font-family="DejaVu Sans, sans-serif"'


class FilmStage:
    """One problem of a run as it is filmed; colours and places are those of the page.

    A film without a title counts messages only, in letters that can be read where it is shown small.
    """

    def __init__(self, act: Mapping[str, Any], title: str) -> None:
        self.act, self.title = act, title
        self.values = [-1] * len(act["variables"])
        self.broken = [False] * len(act["links"])
        self.cycle = self.messages = self.checks = self.violated = 0
        self.sent: list[tuple[int, int, int]] = []
        self._first: dict[int, int] = {}
        for place, (_, _, agent) in enumerate(act["variables"]):
            self._first.setdefault(agent, place)
        self._fit()

    def take(self, wakings: Iterable[list[Any]]) -> None:
        """Let a cycle pass."""
        self.sent = []
        for cycle, agent, _, calls, counts in (waking[:5] for waking in wakings):
            self.cycle = cycle
            self.checks += counts[0]
            for call in calls:
                if call[0] == ASSIGN:
                    self.values[call[1]], self.violated = call[2], call[5]
                    for link in call[3]:
                        self.broken[link] = not self.broken[link]
                elif call[0] >= 0:
                    self.sent.append((agent, call[0], call[1]))
        self.messages += len(self.sent)

    def draw(self, share: float) -> str:
        """Draw it; letters have come so far on their way, from 0 to 1."""
        act = self.act
        spots = [self._spot(agent) for agent in range(len(act["agents"]))]
        thin = 0.35 if len(act["links"]) > 300 or act["picture"].get("steps") else 1
        parts = [
            self._board(),
            f'<g stroke="#b9c5cf" stroke-opacity="{thin}">',
            *self._lines(spots, broken=False),
            "</g>",
        ]
        parts += ['<g stroke="#c62828" stroke-width="2.5">', *self._lines(spots, broken=True), "</g>"]
        parts += [self._node(agent, *spot) for agent, spot in enumerate(spots)]
        parts += self._dots(spots, share)
        counts = f"{self.messages} messages · {self.checks} checks · {self.violated} violated"
        words = escape(f"{self.title} · cycle {self.cycle} · {counts}")
        size = 14 if self.title else 28
        if not self.title:
            words = f"{self.messages} messages, {self.violated} violated"
        foot = f'<text x="{EDGE}" y="{HEIGHT - 16}" {FONT} font-size="{size}" fill="#1c2733">{words}</text>'
        body = "".join(parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>{body}{foot}</svg>'
        )

    def _fit(self) -> None:
        picture = self.act["picture"]
        spots = [*picture["at"], *(picture.get("rest") or ())]
        if picture.get("board"):
            columns, rows = picture["board"]
            spots += [(-0.4, -0.4), (columns - 0.6, rows - 0.6)]
        elif picture.get("steps"):
            spots += [step for steps in picture["steps"] for step in steps]
        low = [min(spot[axis] for spot in spots) for axis in (0, 1)]
        span = [max(spot[axis] for spot in spots) - low[axis] or 1 for axis in (0, 1)]
        room = (WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE - FOOT)
        self.scale = min(room[axis] / span[axis] for axis in (0, 1))
        self.shift = [EDGE + (room[axis] - span[axis] * self.scale) / 2 - low[axis] * self.scale for axis in (0, 1)]
        wide = self.scale * 0.36 if picture.get("steps") else 0.2 * (room[0] * room[1] / len(picture["at"])) ** 0.5
        self.radius = max(2.0, min(16.0 if self.title else 22.0, wide))

    def _spot(self, agent: int) -> tuple[float, float]:
        picture, first = self.act["picture"], self._first.get(agent)
        value = -1 if first is None else self.values[first]
        x, y = picture["at"][agent]
        if value < 0 and picture.get("rest"):
            x, y = picture["rest"][agent]
        elif value >= 0 and picture.get("steps"):
            step = picture["steps"][self.act["variables"][first][1]][value]
            x, y = x + step[0], y + step[1]
        return x * self.scale + self.shift[0], y * self.scale + self.shift[1]

    def _lines(self, spots: list[tuple[float, float]], *, broken: bool) -> Iterable[str]:
        for (one, other), bad in zip(self.act["links"], self.broken, strict=True):
            if bad == broken:
                (a, b), (c, d) = spots[one], spots[other]
                yield f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>'

    def _node(self, agent: int, x: float, y: float) -> str:
        value = self.values[self._first[agent]] if agent in self._first else -1
        colour = "#ffffff" if value < 0 else VALUES[value % len(VALUES)]
        circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{self.radius:.1f}" fill="{colour}" stroke="#1c2733"/>'
        name = self.act["agents"][agent]
        if self.radius < 9 or len(name) > 4:
            return circle
        style = f'{FONT} font-size="{11 if self.title else 20}" text-anchor="middle" fill="#1c2733"'
        return f'{circle}<text x="{x:.1f}" y="{y + (4 if self.title else 7):.1f}" {style}>{escape(name)}</text>'

    def _dots(self, spots: list[tuple[float, float]], share: float) -> Iterable[str]:
        along, size = 0.16 + 0.68 * share, 4 if self.radius > 8 else 1.5
        for sender, to, kind in self.sent[:: max(1, len(self.sent) // MOST_DOTS)]:
            (a, b), (c, d) = spots[sender], spots[to]
            x, y = a + (c - a) * along, b + (d - b) * along
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" fill="{KINDS[kind % len(KINDS)]}"/>'

    def _board(self) -> str:
        picture = self.act["picture"]
        if not picture.get("board"):
            return ""
        columns, rows = picture["board"]
        cells, parts, side = picture.get("cells"), [], f"{self.scale:.1f}"
        for y in range(rows):
            for x in range(columns):
                plain = ("#f7f2e8", "#e3d9c5")[(x + y) % 2] if picture["kind"] == "board" else "#f2f5f8"
                colour = {"#": "#51606d", " ": "#d3dce4"}.get(cells[y][x], plain) if cells else plain
                left, top = (x - 0.5) * self.scale + self.shift[0], (y - 0.5) * self.scale + self.shift[1]
                parts.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{side}" height="{side}" fill="{colour}"/>')
        return "".join(parts)
