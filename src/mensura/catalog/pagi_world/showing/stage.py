"""Stage: a moment of a room as SVG, for films; the same table of looks as on pages."""

from collections.abc import Iterable, Mapping
from html import escape
from math import cos, radians, sin
from typing import Any

from mensura.catalog.pagi_world.world.kinds import WATER
from mensura.catalog.pagi_world.world.plan import ThingPlan, parts_of

WIDE, HIGH, EDGE, FOOT = 720, 420, 10, 24
BODIES = ("#f2cc4c", "#7fb8e6", "#93cf8b", "#e79ab4", "#c3a5e6", "#f0a15c")
FONT = 'font-family="DejaVu Sans, sans-serif"'
NARROWEST = 24.0


class RoomStage:
    """Draws moments of one room, all with the same camera."""

    def __init__(self, look: Mapping[str, Any], box: tuple[float, float, float, float], title: str) -> None:
        self.look, self.title = look, title
        left, low, right, high = box
        wide, tall = max(right - left, NARROWEST), max(high - low, NARROWEST * HIGH / WIDE)
        self.scale = min((WIDE - 2 * EDGE) / wide, (HIGH - FOOT - 2 * EDGE) / tall)
        self.middle = ((left + right) / 2, (low + high) / 2)

    def draw(self, scene: Mapping[str, Any], words: str) -> str:
        """Draw a moment, with a line of words below it."""
        things = list(scene["things"])
        behind = [thing for thing in things if not self.look["kinds"][thing["kind"]]["touchable"]]
        parts = [self._thing(thing) for thing in behind if thing["kind"] != "triggerBox"]
        parts += [self._thing(thing) for thing in things if thing not in behind]
        parts += self._water(scene.get("water") or {})
        parts += [part for number, agent in enumerate(scene["agents"]) for part in self._agent(agent, number)]
        x, y = WIDE / 2 - self.middle[0] * self.scale, (HIGH - FOOT) / 2 + self.middle[1] * self.scale
        room = (
            f'<g transform="translate({x:.2f} {y:.2f}) scale({self.scale:.4f} {-self.scale:.4f})">{"".join(parts)}</g>'
        )
        above = "".join(self._bubble(bubble, x, y) for bubble in scene.get("bubbles") or ())
        foot = f'<rect y="{HIGH - FOOT}" width="{WIDE}" height="{FOOT}" fill="#ffffff"/>' + _text(
            EDGE, HIGH - 8, f"{self.title} · {words}", 13
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}" viewBox="0 0 {WIDE} {HIGH}">'
            f'<rect width="{WIDE}" height="{HIGH}" fill="#f4f8fa"/>{room}{above}{foot}</svg>'
        )

    def _thing(self, thing: Mapping[str, Any]) -> str:
        plan = ThingPlan.read({name: thing[name] for name in ("kind", "size", "visual", "of") if name in thing})
        row, healed = plan.row, "healthy" in thing.get("memory", {})
        outline = row.outline
        look = self.look["kinds"]["healthySoldier" if healed else plan.kind]
        fill = _colour(look["visual"] if healed else row.visual)
        if outline[0] == "circle":
            half = (outline[1], outline[1])
            shape = f'<circle r="{outline[1]:g}" fill="{fill}" stroke="#3a322a" stroke-width="0.06"/>'
        else:
            every = [point for part in parts_of(outline) for point in part]
            half = (max(abs(x) for x, _ in every), max(abs(y) for _, y in every))
            shape = "".join(
                f'<polygon points="{_points(part)}" fill="{fill}" stroke="#3a322a" stroke-width="0.06"/>'
                for part in parts_of(outline)
            )
        marks = "".join(_mark(mark, half) for mark in look["marks"])
        x, y = thing["at"]
        return f'<g transform="translate({x:g} {y:g}) rotate({thing["angle"]:g})">{shape}{marks}</g>'

    def _water(self, water: Mapping[str, Any]) -> Iterable[str]:
        places, fill = water.get("places", ()), _colour(WATER)
        for x, y in zip(places[::2], places[1::2], strict=True):
            yield f'<circle cx="{x:g}" cy="{y:g}" r="0.17" fill="{fill}" fill-opacity="0.55"/>'

    def _agent(self, agent: Mapping[str, Any], number: int) -> Iterable[str]:
        own, body = BODIES[number % len(BODIES)], self.look["body"]
        (x, y), angle = agent["at"], agent["angle"]
        eyes = "".join(
            f'<circle cx="{side}" cy="0.3" r="0.22" fill="#fff"/><circle cx="{side}" cy="0.34" r="0.1" fill="#26211a"/>'
            for side in (-0.38, 0.38)
        )
        yield (
            f'<g transform="translate({x:g} {y:g}) rotate({angle:g})"><circle r="{body["radius"]}" fill="{own}" '
            f'stroke="#4a3d12" stroke-width="0.07"/>{eyes}</g>'
        )
        c, s = cos(radians(angle)), sin(radians(angle))
        for hand, (u, v), holds in zip(agent["hands"], body["shoulders"], agent["grips"], strict=True):
            shoulder = (x + u * c - v * s, y + u * s + v * c)
            wrist = (hand[0] + body["wrist"][0], hand[1] + body["wrist"][1])
            yield _line("#857c5a", 0.14, (shoulder, wrist))
            edge = ("#b3261e", 0.12) if holds else ("#4a3d12", 0.06)
            yield (
                f'<circle cx="{hand[0]:g}" cy="{hand[1]:g}" r="{body["hand"]}" fill="{own}" fill-opacity="0.88" '
                f'stroke="{edge[0]}" stroke-width="{edge[1]}"/>'
            )

    def _bubble(self, bubble: Mapping[str, Any], x: float, y: float) -> str:
        left, low = x + bubble["place"][0] * self.scale, y - bubble["place"][1] * self.scale
        words = f"{bubble['speaker']}: {bubble['text']}"[:60]
        wide = 7.2 * len(words) + 8
        place = f'x="{left:.1f}" y="{low - 20:.1f}" width="{wide:.0f}" height="20" rx="6"'
        return f'<rect {place} fill="#fff" stroke="#37424d"/>' + _text(left + 4, low - 6, words, 12)


def _mark(mark: tuple[Any, ...], half: tuple[float, float]) -> str:
    form, colour, *rest = mark
    if form == "disc":
        x, y, radius = rest
        shape = f'<circle cx="{x * half[0]:g}" cy="{y * half[1]:g}" r="{radius * min(half):g}" fill="{colour[:7]}"'
        return f"{shape}{_opacity(colour, 'fill')}/>"
    points = [(x * half[0], y * half[1]) for x, y in zip(rest[-1][::2], rest[-1][1::2], strict=True)]
    if form == "poly":
        return f'<polygon points="{_points(points)}" fill="{colour[:7]}"{_opacity(colour, "fill")}/>'
    return _line(colour[:7], rest[0], points, more=_opacity(colour, "stroke"))


def _opacity(colour: str, which: str) -> str:
    return f' {which}-opacity="{int(colour[7:9], 16) / 255:.2f}"' if len(colour) == 9 else ""


def _line(colour: str, width: float, points: Iterable[tuple[float, float]], *, more: str = "") -> str:
    return f'<polyline points="{_points(points)}" fill="none" stroke="{colour}" stroke-width="{width}"{more}/>'


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.3f},{y:.3f}" for x, y in points)


def _colour(visual: Iterable[float]) -> str:
    red, green, blue = (round(255 * min(max(one, 0), 1)) for one in list(visual)[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


def _text(x: float, y: float, words: str, size: int) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {FONT} font-size="{size}" fill="#1c2733">{escape(words)}</text>'
