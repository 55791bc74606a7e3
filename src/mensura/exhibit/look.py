"""Picture: how charts look everywhere, in reports, pages and commands. Charts are Vega-Lite, made by altair."""

from functools import cache
from typing import Any

# Okabe and Ito's colours, which people with any kind of colour vision tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
INK = "#1f2933"


def as_svg(chart: Any) -> str:
    """Render a chart without a browser and without network, in the house's look."""
    import vl_convert

    styled = chart.configure(
        font="Liberation Sans, Arial, sans-serif",
        background="#ffffff",
        # Words for a picture are beside it; a label on every mark would be most of its size.
        aria=False,
        axis={"labelFontSize": 12, "titleFontSize": 12, "labelColor": INK, "titleColor": INK, "gridColor": "#e5e9ee"},
        axisX={"labelFlush": False},
        view={"stroke": None},
        range={"category": list(COLOURS)},
    )
    return str(vl_convert.vegalite_to_svg(styled.to_json(validate=False), vl_version=_newest()))


@cache
def _newest() -> str:
    import vl_convert

    return str(max(vl_convert.get_vegalite_versions(), key=lambda version: tuple(map(int, version.split(".")))))
