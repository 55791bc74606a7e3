"""Compounds: things that are made of several or hang on the room, as rope, wire, levers and the large kit."""

from dataclasses import replace
from math import cos, radians, sin

from mensura.catalog.pagi_world.world.plan import JointPlan, ThingPlan

LINK, LEANS = 0.6, 60.0
MOST_LINKS = 60


def expand(plan: ThingPlan) -> tuple[list[ThingPlan], list[JointPlan]]:
    """Return the things that a plan stands for, with the joints between them.

    A `link` whose size is longer than one link is a rope; with `of` "wire" it is a wire, which keeps its bends. Its
    `target` is what its first end hangs on, "" for the room; "free" for nothing.
    """
    if plan.kind == "largeMedkit" and plan.of != "half":
        return _kit(plan)
    if plan.kind == "lever" and plan.of != "pivoted":
        high = (plan.size[1] if len(plan.size) > 1 else plan.row.outline[2]) / 2
        foot = (plan.at[0] + sin(radians(plan.angle)) * high, plan.at[1] - cos(radians(plan.angle)) * high)
        limits = (plan.angle - LEANS, plan.angle + LEANS)
        return [replace(plan, of="pivoted")], [JointPlan("pivot", "", plan.name, foot, limits)]
    if plan.kind == "link" and plan.size and plan.size[0] > 1.5 * LINK:
        return _chain(plan)
    return [plan], []


def _kit(plan: ThingPlan) -> tuple[list[ThingPlan], list[JointPlan]]:
    wide = plan.size[0] if plan.size else 1.2
    c, s = cos(radians(plan.angle)) * wide / 2, sin(radians(plan.angle)) * wide / 2
    x, y = plan.at
    force = plan.of if isinstance(plan.of, int | float) else plan.row.of
    halves = [
        replace(plan, name=f"{plan.name}{tail}", at=(x + side * c, y + side * s), of="half")
        for side, tail in ((-1, ""), (1, "_2"))
    ]
    weld = JointPlan("weld", halves[0].name, halves[1].name, plan.at, breaks=float(force))
    return halves, [weld]


def _chain(plan: ThingPlan) -> tuple[list[ThingPlan], list[JointPlan]]:
    count = min(MOST_LINKS, max(2, round(plan.size[0] / LINK)))
    thick = plan.size[1] if len(plan.size) > 1 else 0.14
    along = (cos(radians(plan.angle)), sin(radians(plan.angle)))
    first = -(count - 1) / 2

    def point(place: float) -> tuple[float, float]:
        return (plan.at[0] + along[0] * place * LINK, plan.at[1] + along[1] * place * LINK)

    names = [plan.name, *[f"{plan.name}_{number}" for number in range(2, count + 1)]]
    links = [
        replace(plan, name=name, at=point(first + number), size=(LINK, thick), target="")
        for number, name in enumerate(names)
    ]
    kind = "hinge" if plan.of == "wire" else "pivot"
    joints = [JointPlan(kind, names[n], names[n + 1], point(first + n + 0.5)) for n in range(count - 1)]
    if plan.target != "free":
        joints.insert(0, JointPlan("pivot", plan.target, names[0], point(first - 0.5)))
    return links, joints
