"""Two graphs drawn face to face: what corresponds stands at one height and is joined by a line of one colour."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from mensura.catalog.analogy.comparison import DocumentComparison
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.catalog.analogy.showing.marking import Mark

ROW = 30
WIDTH = 900
COLUMNS = {"c": (150, 750), "r": (350, 550)}
"""Where concepts and relations of the first and the second graph stand."""
GREY = "#6b7680"


@dataclass(frozen=True)
class PlacedNode:
    """A node on the picture."""

    x: int
    y: int
    word: str
    mark: Mark | None


def aligned_svg(comparison: DocumentComparison, marks: Sequence[Mapping[str, Mark]]) -> str:
    """Return the picture as SVG: subjects by whole lines, objects by dotted ones, second-order edges as dashed arcs."""
    sides = [_placed(comparison, marks, side) for side in (0, 1)]
    height = max(node.y for side in sides for node in side.values()) + ROW
    parts = []
    for side, graph in enumerate(comparison.graphs):
        parts += _edges(graph, sides[side], side)
    for pair in comparison.pairs:
        one, other = sides[0][pair.first_id], sides[1][pair.second_id]
        if pair.type == "verb" and one.mark is not None:
            line = f'<line x1="{one.x + 8}" y1="{one.y}" x2="{other.x - 8}" y2="{other.y}"'
            parts.append(f'{line} stroke="{one.mark.colour}" stroke-width="2.5"/>')
    parts += [_node(node, name[0], side) for side, nodes in enumerate(sides) for name, node in nodes.items()]
    label = (
        f"{len(comparison.pairs)} pairs of nodes stand at one height; "
        f"{sum(map(len, comparison.unmapped))} nodes without a counterpart are below, in grey."
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def _placed(comparison: DocumentComparison, marks: Sequence[Mapping[str, Mark]], side: int) -> dict[str, PlacedNode]:
    graph = comparison.graphs[side]
    words = {f"c{at}": one.lemma for at, one in enumerate(graph.concepts)}
    words |= {f"r{at}": f"{'not ' if one.negated else ''}{one.lemma}" for at, one in enumerate(graph.relations)}
    found = {}
    for sign in "cr":
        part = "noun" if sign == "c" else "verb"
        pairs = [pair for pair in comparison.pairs if pair.type == part]
        mapped = [(pair.first_id, pair.second_id)[side] for pair in pairs]
        order = [*mapped, *(name for name in words if name[0] == sign and name not in mapped)]
        for place, name in enumerate(order):
            found[name] = PlacedNode(COLUMNS[sign][side], 20 + place * ROW, words[name], marks[side].get(name))
    return found


def _edges(graph: SkeletonGraph, nodes: Mapping[str, PlacedNode], side: int) -> list[str]:
    parts = []
    inward = 8 if side == 0 else -8
    for relation, role, concept in graph.edges():
        one, other = nodes[f"r{relation}"], nodes[f"c{concept}"]
        colour = one.mark.colour if one.mark and other.mark else "#b5bdc4"
        dots = "" if role == "subject" else ' stroke-dasharray="2 3"'
        parts.append(
            f'<line x1="{other.x + inward}" y1="{other.y}" x2="{one.x - inward}" y2="{one.y}" stroke="{colour}"{dots}/>'
        )
    for link in graph.second_order:
        one, other = nodes[f"r{link.first}"], nodes[f"r{link.second}"]
        bend = one.x + (55 if side == 0 else -55)
        about = escape(f"{link.kind} ({link.by})")
        parts.append(
            f'<path d="M{one.x + inward} {one.y} Q{bend} {(one.y + other.y) / 2} {other.x + inward} {other.y}" '
            f'fill="none" stroke="#7b3294" stroke-dasharray="6 3"><title>{about}</title></path>'
        )
    return parts


def _node(node: PlacedNode, sign: str, side: int) -> str:
    colour = node.mark.colour if node.mark else GREY
    shape = (
        f'<circle cx="{node.x}" cy="{node.y}" r="6" fill="{colour}"/>'
        if sign == "c"
        else f'<rect x="{node.x - 6}" y="{node.y - 6}" width="12" height="12" fill="{colour}"/>'
    )
    # Words of concepts stand outside, those of relations above the edges that leave them.
    if sign == "c":
        x, anchor = (node.x - 12, "end") if side == 0 else (node.x + 12, "start")
        y = node.y + 4
    else:
        x, anchor, y = node.x, "middle", node.y - 8
    number = f" {node.mark.number}" if node.mark else ""
    return f'{shape}<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(node.word)}{number}</text>'
