"""A skeleton graph drawn: concepts in a ring, relations between their subject and object, second-order edges dashed."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.exhibit.exhibit import Cell, Exhibit, Figure

COLOURS = {"concept": "#4c78a8", "relation": "#f58518", "second": "#b279a2", "edge": "#bbbbbb"}


def draw_graph(graph: SkeletonGraph) -> Figure:
    """Return the picture of a graph with what it shows in words."""
    words = (
        f"{len(graph.concepts)} concepts (circles), {len(graph.relations)} relations (squares) between them, and "
        f"{len(graph.second_order)} second-order edges (dashed)."
    )
    # As large as its words need.
    return Figure(lambda: _chart(graph, min(900, 380 + 8 * len(graph))), words)


def graph_exhibit(graph: SkeletonGraph) -> Exhibit:
    """Return a graph as an exhibit: every relation with its sentence, and the picture."""
    told = any(one.category for one in graph.relations)
    rows: list[Sequence[Cell]] = [
        (
            "" if one.subject is None else graph.concepts[one.subject].lemma,
            f"{'not ' if one.negated else ''}{one.lemma}",
            "" if one.object is None else graph.concepts[one.object].lemma,
            one.sentence + 1,
            *([one.category] if told else []),
        )
        for one in graph.relations
    ]
    figure = draw_graph(graph)
    columns = ("Subject", "Relation", "Object", "Sentence", *(["Category"] if told else []))
    notes = [f"{graph.said(one.first)} → {graph.said(one.second)}: {one.kind} ({one.by})" for one in graph.second_order]
    return Exhibit(f"Graph by {graph.extractor}", figure.words, columns, rows, [figure], notes)


def _places(graph: SkeletonGraph) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return where nodes stand: concepts in a ring in their order, relations between theirs, no word on another."""
    n = max(1, len(graph.concepts))
    ring = [(cos(2 * pi * at / n - pi / 2), sin(2 * pi * at / n - pi / 2)) for at in range(n)]
    found: list[tuple[float, float]] = []
    for one in graph.relations:
        ends = [ring[place] for place in one.places if place is not None]
        x, y = (0.95 * sum(end[axis] for end in ends) / len(ends) for axis in range(2))
        inward = -0.06 if y > 0 else 0.06
        while any(abs(x - other) < 0.16 and abs(y - level) < 0.055 for other, level in (*ring, *found)):
            y += inward
        found.append((x, y))
    return ring, found


def _data(values: Any) -> Any:
    import altair

    return altair.InlineData(values=values)


def _chart(graph: SkeletonGraph, side: int) -> Any:
    import altair

    ring, middle = _places(graph)
    edges = [
        {"x": middle[one][0], "y": middle[one][1], "x2": ring[other][0], "y2": ring[other][1], "role": role}
        for one, role, other in graph.edges()
    ]
    second = [
        {
            "x": middle[one.first][0], "y": middle[one.first][1], "x2": middle[one.second][0],
            "y2": middle[one.second][1], "kind": one.kind,
        }
        for one in graph.second_order
    ]  # fmt: skip
    nodes = [
        {"x": x, "y": y, "word": one.lemma, "type": "concept"} for (x, y), one in zip(ring, graph.concepts, strict=True)
    ]
    nodes += [
        {"x": x, "y": y, "word": ("not " if one.negated else "") + one.lemma, "type": "relation"}
        for (x, y), one in zip(middle, graph.relations, strict=True)
    ]
    axis: dict[str, Any] = {"axis": None, "scale": altair.Scale(domain=[-1.15, 1.15])}
    x, y = altair.X("x:Q", **axis), altair.Y("y:Q", **axis)
    lines = altair.Chart(_data(edges)).mark_rule(color=COLOURS["edge"]).encode(
        x=x, y=y, x2="x2:Q", y2="y2:Q", strokeDash=altair.StrokeDash("role:N", legend=None, scale=altair.Scale(
            domain=["subject", "object"], range=[[1, 0], [2, 2]]))
    )  # fmt: skip
    dashed = altair.Chart(_data(second)).mark_rule(
        color=COLOURS["second"], strokeDash=[7, 4], strokeWidth=2
    ).encode(x=x, y=y, x2="x2:Q", y2="y2:Q")  # fmt: skip
    kinds = altair.Scale(domain=["concept", "relation"], range=[COLOURS["concept"], COLOURS["relation"]])
    base = altair.Chart(_data(nodes)).encode(x=x, y=y)
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        color=altair.Color("type:N", scale=kinds, legend=altair.Legend(title=None)),
        shape=altair.Shape("type:N", scale=altair.Scale(domain=["concept", "relation"], range=["circle", "square"])),
    )
    names = base.mark_text(dy=-9, fontSize=11).encode(text="word:N")
    layers = [lines, *([dashed] if second else []), dots, names]
    return altair.layer(*layers).properties(width=side, height=side)
