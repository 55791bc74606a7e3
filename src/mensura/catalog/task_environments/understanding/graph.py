"""The causal graph of a task, read off its blocks: what directly changes what."""

import re

from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.task.transition import Fuel, Kick, Lock, Shut, Wave

NODES = ("power", "speed", "place", "mass", "friction", "slope", "drag", "gravity", "time", "gate", "fuel", "paint")
"""Variables of a cart and what may act on it; paint never does."""
Edges = frozenset[tuple[str, str]]


def graph_of(task: Task) -> Edges:
    """Return the edges (cause, effect) of a cart's world; the cart is its first body.

    >>> from mensura.catalog.task_environments.understanding.phenomenon import PHENOMENA
    >>> sorted(graph_of(PHENOMENA["drag"].world(0.1)) - graph_of(PHENOMENA["drag"].plain))
    [('drag', 'speed')]
    """
    edges = {("power", "speed"), ("mass", "speed"), ("speed", "place")}
    edges |= _of_body(task.bodies[0])
    for one in task.transitions:
        if isinstance(one, Wave):
            edges.add(("time", one.body))
        elif isinstance(one, Lock):
            edges.add((one.when.body, "speed"))
        elif isinstance(one, (Kick, Shut)):
            edges.add(("time", "speed"))
        elif isinstance(one, Fuel):
            edges |= {("power", "fuel"), ("fuel", "mass"), ("fuel", "speed")}
    return frozenset(edges)


def _of_body(body: Body) -> set[tuple[str, str]]:
    acting = {"friction": body.kinetic, "slope": body.slope, "drag": body.drag}
    weight = body.kinetic or body.slope
    return {(name, "speed") for name, number in acting.items() if number} | (
        {("gravity", "speed")} if weight else set()
    )


def read_graph(text: str) -> Edges:
    """Read the edges that a text names as "cause -> effect"; what names no two variables is passed over.

    >>> sorted(read_graph("Power -> speed; speed->place, moon -> place"))
    [('power', 'speed'), ('speed', 'place')]
    """
    pairs = re.findall(r"(\w+)\s*(?:->|→)\s*(?=(\w+))", text.lower())
    return frozenset((one, other) for one, other in pairs if one in NODES and other in NODES and one != other)
