"""The map as a picture: SVG for pages and playback, PNG for models that see."""

from collections.abc import Callable, Sequence
from html import escape

from mensura.dialogue import Feature, Image, Map

SIZE = 600
MARGIN = 24


def map_svg(drawn: Map, *, size: int = SIZE) -> str:
    """Draw a map as SVG, y upwards, with a scale bar and a legend of its layers."""
    scale = (size - 2 * MARGIN) / max(drawn.high[0] - drawn.low[0], drawn.high[1] - drawn.low[1])

    def x(value: float) -> float:
        return MARGIN + (value - drawn.low[0]) * scale

    def y(value: float) -> float:
        return size - MARGIN - (value - drawn.low[1]) * scale

    shapes = [_shape(feature, x, y, scale) for feature in _in_order(drawn.features)]
    miles = getattr(drawn, "miles_per_unit", None)
    bar = "" if miles is None else _scale_bar(size, scale, miles)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}" '
        f'font-family="sans-serif" font-size="13">'
        f'<rect width="{size}" height="{size}" fill="#fbfaf6"/>'
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{size - 2 * MARGIN}" height="{size - 2 * MARGIN}" fill="#fff" '
        f'stroke="#bbb"/>{"".join(shapes)}{bar}</svg>'
    )


def picture(drawn: Map, *, words: str) -> Image:
    """Return a map as a PNG picture."""
    import vl_convert

    return Image(vl_convert.svg_to_png(map_svg(drawn)), words=words)


def _in_order(features: Sequence[Feature]) -> list[Feature]:
    rank = {"region": 0, "line": 1, "circle": 2, "point": 3}
    return sorted(features, key=lambda feature: rank[feature.shape])


def _shape(feature: Feature, x: Callable[[float], float], y: Callable[[float], float], scale: float) -> str:
    colour = feature.colour or "#8a8a8a"
    points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in feature.places)
    layer = escape(feature.layer, quote=True)
    if feature.shape == "region":
        return (
            f'<polygon data-layer="{layer}" points="{points}" fill="{colour}" fill-opacity="0.15" stroke="{colour}"/>'
        )
    if feature.shape == "line":
        return (
            f'<polyline data-layer="{layer}" points="{points}" fill="none" stroke="#9a9a9a" stroke-width="5" '
            'stroke-linejoin="round"/>'
        )
    at = feature.places[0]
    if feature.shape == "circle":
        radius = feature.radius * scale
        return (
            f'<circle data-layer="{layer}" cx="{x(at[0]):.1f}" cy="{y(at[1]):.1f}" r="{radius:.1f}" fill="none" '
            f'stroke="{colour}" stroke-width="2"/>'
        )
    label = escape(feature.label)
    mark = f'<circle cx="{x(at[0]):.1f}" cy="{y(at[1]):.1f}" r="8" fill="{colour}"/>'
    short = label.rpartition(" ")[2]
    return (
        f'<g data-layer="{layer}">{mark}<text x="{x(at[0]):.1f}" y="{y(at[1]) + 4.5:.1f}" text-anchor="middle" '
        f'fill="#fff" font-size="11">{short}</text><title>{label}</title></g>'
    )


def _scale_bar(size: int, scale: float, miles_per_unit: float) -> str:
    length = 5 / miles_per_unit * scale
    left, top = size - MARGIN - length - 8, size - MARGIN + 14
    return (
        f'<path d="M{left:.1f},{top} h{length:.1f}" stroke="#222" stroke-width="2"/>'
        f'<text x="{left + length / 2:.1f}" y="{top - 4}" text-anchor="middle">5 miles</text>'
    )
