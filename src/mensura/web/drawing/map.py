"""Map: a map prompt as SVG, with layers, a legend and a scale bar. Lengths are true in both directions."""

from collections.abc import Mapping, Sequence
from math import floor, log10
from typing import Any

from markupsafe import Markup

from mensura.exhibit.look import COLOURS

WIDTH = 520.0
TALLEST = 640.0
SHAPES = ("point", "line", "region", "circle")


def draw_map(prompt: Mapping[str, Any]) -> dict[str, Any]:
    """Lay a map out: its picture, the colours of its layers, and the words of its features.

    >>> drawn = draw_map({"low": (0, 0), "high": (10, 5), "features": [{"shape": "point", "places": [[3, 4]]}]})
    >>> drawn["height"], drawn["words"]
    (260.0, ['point at (3, 4)'])
    """
    low, high = [float(value) for value in prompt["low"]], [float(value) for value in prompt["high"]]
    features = [_plain(feature) for feature in prompt["features"]]
    scale = min(WIDTH / (high[0] - low[0]), TALLEST / (high[1] - low[1]))
    frame = _Frame(low, high, scale)
    layers = list(dict.fromkeys(str(feature["layer"]) for feature in features))
    colours = {layer: COLOURS[i % len(COLOURS)] for i, layer in enumerate(layers)}
    groups = [
        {
            "name": layer,
            "colour": next((f["colour"] for f in features if f["layer"] == layer and f["colour"]), colours[layer]),
            "svg": Markup("").join(
                _feature(feature, frame, colours[layer]) for feature in features if feature["layer"] == layer
            ),
        }
        for layer in layers
    ]
    length = nice_length((high[0] - low[0]) / 4)
    return {
        "width": frame.width,
        "height": frame.height,
        "low": low,
        "high": high,
        "groups": groups,
        "bar": {"pixels": round(length * scale, 2), "words": f"{length:g} {prompt.get('unit', '')}".strip()},
        "words": [_words(feature) for feature in features],
    }


def nice_length(longest: float) -> float:
    """Return the longest of 1, 2, 5, 10 ... that is not longer than this.

    >>> nice_length(7.3), nice_length(0.03)
    (5.0, 0.02)
    """
    unit = 10.0 ** floor(log10(longest))
    return float(max(step for step in (1, 2, 5) if step * unit <= longest * 1.000001) * unit)


class _Frame:
    """Places of the plane as places of the picture; y goes up in the one and down in the other."""

    def __init__(self, low: Sequence[float], high: Sequence[float], scale: float) -> None:
        self.scale = scale
        self._low, self._high = low, high
        self.width = round((high[0] - low[0]) * scale, 2)
        self.height = round((high[1] - low[1]) * scale, 2)

    def at(self, place: Sequence[float]) -> tuple[float, float]:
        return round((place[0] - self._low[0]) * self.scale, 2), round((self._high[1] - place[1]) * self.scale, 2)


def _plain(feature: Any) -> dict[str, Any]:
    data = feature if isinstance(feature, Mapping) else feature.data()
    blank = {"label": "", "layer": "", "colour": "", "radius": 0.0}
    return {**blank, **data}


def _feature(feature: Mapping[str, Any], frame: _Frame, colour: str) -> Markup:
    colour = str(feature["colour"] or colour)
    places = [frame.at(place) for place in feature["places"]]
    if not places:
        return Markup("")
    points = " ".join(f"{x},{y}" for x, y in places)
    x, y = places[0]
    shape = feature["shape"]
    if shape == "line":
        drawn = Markup('<polyline class="line" points="{}" stroke="{}"/>').format(points, colour)
    elif shape == "region":
        drawn = Markup('<polygon class="region" points="{}" stroke="{}" fill="{}"/>').format(points, colour, colour)
        # Near its upper edge, where labels of points inside it seldom are.
        x, y = sum(place[0] for place in places) / len(places), min(place[1] for place in places) + 22
    elif shape == "circle":
        radius = round(float(feature["radius"]) * frame.scale, 2)
        drawn = Markup('<circle class="region" cx="{}" cy="{}" r="{}" stroke="{}" fill="{}"/>').format(
            x, y, radius, colour, colour
        )
    else:
        drawn = Markup('<circle class="point" cx="{}" cy="{}" r="6" fill="{}"/>').format(x, y, colour)
    return drawn + _label(str(feature["label"]), x, y, shape, frame)


def _label(text: str, x: float, y: float, shape: str, frame: _Frame) -> Markup:
    if not text:
        return Markup("")
    inside = shape in ("region", "circle")
    left = x > frame.width * 0.8
    anchor = "middle" if inside else "end" if left else "start"
    shift = 0 if inside else -10 if left else 10
    place = round(x + shift, 2), round(y + 5, 2)
    return Markup('<text class="label" x="{}" y="{}" text-anchor="{}">{}</text>').format(*place, anchor, text)


def _words(feature: Mapping[str, Any]) -> str:
    places = " ".join(f"({place[0]:g}, {place[1]:g})" for place in feature["places"][:12])
    more = " ..." if len(feature["places"]) > 12 else ""
    radius = f", radius {feature['radius']:g}" if feature["radius"] else ""
    layer = f" ({feature['layer']})" if feature["layer"] else ""
    return f"{feature['shape']} {feature['label']}{layer} at {places}{more}{radius}".replace("  ", " ")
