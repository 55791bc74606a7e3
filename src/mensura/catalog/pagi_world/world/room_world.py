"""RoomWorld: rigid bodies that move by fixed steps, the bodies of agents among them."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import TYPE_CHECKING, Any

from mensura.catalog.pagi_world.world.avatar import Avatar, place_avatar
from mensura.catalog.pagi_world.world.behaviour import TICKING, attract, behave, touch, was_gripped
from mensura.catalog.pagi_world.world.compound import expand
from mensura.catalog.pagi_world.world.joint import PlacedJoint, place_joint
from mensura.catalog.pagi_world.world.plan import JointPlan, ThingPlan
from mensura.catalog.pagi_world.world.terms import FEET, FIELD, JUMP, PhysicsTerms
from mensura.catalog.pagi_world.world.thing import BODIES, FELT, LIVELY, THINGS, WATCHED, PlacedThing, place_thing
from mensura.errors import BadParameter, MissingExtra

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.water.pool import WaterPool

Pair = tuple[float, float]
MOST_THINGS = 2000


class RoomWorld:
    """A room that moves.

    Given the same calls in the same order it comes to the same bits, on the same build of pymunk. A copy made by
    `mensura.catalog.pagi_world.world.saving` does not go on as this one would, since contacts are forgotten: who
    saves goes on with the copy.
    """

    def __init__(self, terms: PhysicsTerms, gravity: Pair = (0.0, -9.81)) -> None:
        try:
            import pymunk
        except ImportError:
            raise MissingExtra("Rooms with physics", package="pymunk", extra="pagi-world") from None
        self.terms = terms
        self.tick = 0
        self.space = pymunk.Space()
        self.space.iterations = terms.iterations
        self.space.gravity = gravity
        self.things: dict[int, PlacedThing] = {}
        self.by_name: dict[str, int] = {}
        self.avatars: dict[str, Avatar] = {}
        self.joints: list[PlacedJoint] = []
        self.pool: WaterPool | None = None
        self.notices: list[tuple[str, str, Any]] = []
        """What agents are told without asking: role or "" for all, kind, what."""
        self.happened: dict[str, int] = {}
        """What happened to things, as `eaten apple`, with the tick."""
        self.next_number = 1
        self.chance = 0
        """What dispensers draw from; the room draws it."""
        self.shape_version = 0
        """Grows when things come or go; who keeps outlines looks here."""
        self.ticking: dict[int, PlacedThing] = {}
        self._touching: list[tuple[int, int]] = []
        self._blows: dict[int, float] = {}
        self._gone: list[int] = []
        self._things_filter = pymunk.ShapeFilter(mask=THINGS)
        self._solid_filter = pymunk.ShapeFilter(mask=THINGS | BODIES)
        self._watch()

    # Things -----------------------------------------------------------------------------------------------------------

    def add(self, plan: ThingPlan, *, memory: dict[str, Any] | None = None, number: int | None = None) -> PlacedThing:
        """Put a thing into the room; things that are made of several come with their joints."""
        plans, joints = expand(plan)
        placed = [self._place(one, memory, number) for one in plans]
        for joint in joints:
            self.join(joint)
        return placed[0]

    def _place(self, plan: ThingPlan, memory: dict[str, Any] | None, number: int | None) -> PlacedThing:
        if len(self.things) >= MOST_THINGS:
            raise BadParameter(f"A room holds at most {MOST_THINGS} things.")
        number = self.next_number if number is None else number
        self.next_number = max(self.next_number, number + 1)
        thing = place_thing(number, plan, self.terms, memory=memory)
        self.things[number] = thing
        self.by_name[plan.name] = number
        self.space.add(thing.body, *thing.shapes)
        if thing.row.does in TICKING:
            self.ticking[number] = thing
        self.shape_version += 1
        return thing

    def find(self, name: str) -> PlacedThing | None:
        """Return the thing of a name; capitals do not count where no other way finds it."""
        number = self.by_name.get(name)
        if number is None:
            low = name.lower()
            number = next((found for known, found in self.by_name.items() if known.lower() == low), None)
        return None if number is None else self.things.get(number)

    def remove(self, thing: PlacedThing) -> None:
        """Take a thing out, with the joints and grips that hold it."""
        if self.things.pop(thing.number, None) is None:
            return
        for avatar in self.avatars.values():
            for side in (0, 1):
                for number, joint in list(avatar.grips[side]):
                    if number == thing.number:
                        self.space.remove(joint)
                        avatar.grips[side].remove((number, joint))
        for joint in [one for one in self.joints if thing.name in (one.plan.first, one.plan.second)]:
            self.unjoin(joint)
        self.space.remove(*thing.shapes, thing.body)
        self.ticking.pop(thing.number, None)
        if self.by_name.get(thing.name) == thing.number:
            del self.by_name[thing.name]
        self.shape_version += 1

    def join(self, plan: JointPlan) -> PlacedJoint:
        """Hold two things together."""
        ends = []
        for name in (plan.first, plan.second):
            thing = self.find(name) if name else None
            if name and thing is None:
                raise BadParameter(f"A joint holds {name!r}, and there is no such thing in the room.")
            ends.append(self.space.static_body if thing is None else thing.body)
        if ends[0] is ends[1] or all(end.body_type != end.DYNAMIC for end in ends):
            raise BadParameter(
                f"A joint holds two things of which one can move; got {plan.first!r} and {plan.second!r}."
            )
        joint = place_joint(plan, ends[0], ends[1])
        self.space.add(*joint.made)
        self.joints.append(joint)
        return joint

    def unjoin(self, joint: PlacedJoint) -> None:
        """Let two things go."""
        self.space.remove(*joint.made)
        self.joints.remove(joint)

    # Agents -----------------------------------------------------------------------------------------------------------

    def enter(self, role: str, at: Pair, angle: float = 0.0) -> Avatar:
        """Put the body of an agent into the room."""
        avatar = place_avatar(role, -len(self.avatars) - 1, at, angle, self.terms)
        self.avatars[role] = avatar
        self.space.add(avatar.body, avatar.shape, *avatar.hands, *avatar.tethers)
        return avatar

    def by_number(self, number: int) -> Avatar | None:
        """Return the agent whose body has this number."""
        return next((avatar for avatar in self.avatars.values() if avatar.number == number), None)

    def grip(self, avatar: Avatar, side: int) -> list[str]:
        """Join a hand to all that lies under its middle; return the names."""
        import pymunk

        place = avatar.hands[side].position
        held = {number for number, _ in avatar.grips[side]}
        found = {
            hit.shape.number for hit in self.space.point_query(place, 0.0, self._things_filter) if hit.shape is not None
        }
        for number in sorted(found - held):
            thing = self.things[number]
            if not thing.row.graspable:
                continue
            joint: Any = pymunk.PivotJoint(avatar.hands[side], thing.body, place)
            self.space.add(joint)
            avatar.grips[side].append((number, joint))
            was_gripped(self, thing, avatar)
        return [self.things[number].name for number, _ in avatar.grips[side] if number in self.things]

    def release(self, avatar: Avatar, side: int) -> None:
        """Let go of all that a hand holds."""
        for _, joint in avatar.grips[side]:
            self.space.remove(joint)
        avatar.grips[side].clear()

    def jump(self, avatar: Avatar) -> bool:
        """Jump, if something is under the feet: what is there is pushed down as much as the body is pushed up."""
        if avatar.jumping:
            return False
        for foot in FEET:
            place = avatar.outward(foot)
            for hit in self.space.point_query(place, 0.0, self._solid_filter):
                shape: Any = hit.shape
                if shape is None or shape.sensor or shape.number == avatar.number:
                    continue
                # Who rises already has left the ground, though the feet are still near it.
                if avatar.body.velocity.y - shape.body.velocity.y > 1.0:
                    continue
                avatar.jumping = True
                if shape.body.body_type == shape.body.DYNAMIC:
                    shape.body.apply_force_at_world_point((0.0, -JUMP / self.terms.tick_seconds), place)
                return True
        return False

    # Time -------------------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Make one step; what touched what is acted upon after it."""
        gravity = tuple(self.space.gravity)
        for avatar in self.avatars.values():
            avatar.exert()
            avatar.lift_hands(gravity)  # type: ignore[arg-type]
        # Forces of this step: what a save leaves out must not be pending between two steps.
        for thing in self.ticking.values():
            if thing.row.does == "attracts":
                attract(self, thing)
        if self.pool is not None:
            self.pool.step(self)
        self._touching.clear()
        self._blows.clear()
        self.space.step(self.terms.tick_seconds)
        for avatar in self.avatars.values():
            avatar.count_work()
        # In the order of their numbers: the solver's own order is nobody's to know.
        for first, second in sorted({(min(pair), max(pair)) for pair in self._touching}):
            touch(self, first, second)
        for number, force in sorted(self._blows.items()):
            struck = self.things.get(number)
            if struck is not None and force > struck.row.of:
                self.vanish(struck)
        for joint in [joint for joint in self.joints if joint.watched]:
            if joint.strained(self.terms.tick_seconds):
                self.unjoin(joint)
        for thing in list(self.ticking.values()):
            behave(self, thing)
        self._leave_field()
        for number in self._gone:
            if number in self.things:
                self.remove(self.things[number])
        self._gone.clear()
        self.tick += 1

    def vanish(self, thing: PlacedThing) -> None:
        """Let a thing be gone at the end of this step."""
        if thing.number not in self._gone:
            self._gone.append(thing.number)

    def happen(self, what: str) -> None:
        """Take note of something for rules."""
        self.happened.setdefault(what, self.tick)

    def is_going(self, thing: PlacedThing) -> bool:
        """Return whether it is gone at the end of this step."""
        return thing.number in self._gone or thing.number not in self.things

    def _leave_field(self) -> None:
        left, right, below = FIELD
        for thing in self.things.values():
            if thing.row.mass is None:
                continue
            x, y = thing.body.position
            if not left <= x <= right or not y >= below or not isfinite(y):
                self._gone.append(thing.number)
        for avatar in self.avatars.values():
            for body in (avatar.body, *avatar.hands):
                x, y = body.position
                if not (left <= x <= right and below <= y <= 1000):
                    fine = isfinite(x) and isfinite(y)
                    body.position = (min(max(x, left), right), min(max(y, below), 1000)) if fine else (0.0, 0.0)
                    body.velocity = (0.0, 0.0)

    # What is where ----------------------------------------------------------------------------------------------------

    def under(self, place: Pair) -> list[PlacedThing]:
        """Return the things at a point, the last made first."""
        found = {hit.shape.number for hit in self.space.point_query(place, 0.0, self._things_filter) if hit.shape}
        return [self.things[number] for number in sorted(found, reverse=True) if number in self.things]

    def overlapping(self, thing: PlacedThing) -> set[int]:
        """Return the numbers of things and bodies that overlap a thing."""
        found: set[int] = set()
        for shape in thing.shapes:
            for hit in self.space.shape_query(shape):
                other: Any = hit.shape
                if other is not None and other.number != thing.number and not other.sensor:
                    found.add(other.number)
        return found

    def place_of(self, name: str) -> Pair | None:
        """Return where a thing, or the body or a hand of an agent, is: NAME, ROLE, ROLE.L or ROLE.R."""
        thing = self.find(name)
        if thing is not None:
            return thing.body.position.x, thing.body.position.y
        role, _, part = name.partition(".")
        avatar = self.avatars.get(role) or (next(iter(self.avatars.values())) if role == "body" else None)
        if avatar is None:
            return None
        if part in ("L", "R"):
            return avatar.hand_place("LR".index(part))
        return avatar.body.position.x, avatar.body.position.y

    def held_by(self, thing: PlacedThing) -> list[str]:
        """Return the roles of those whose hands hold a thing."""
        return [
            avatar.role
            for avatar in self.avatars.values()
            if any(number == thing.number for side in (0, 1) for number, _ in avatar.grips[side])
        ]

    def tell(self, kind: str, what: Any, role: str = "") -> None:
        """Tell an agent, or all, something that nobody asked for."""
        self.notices.append((role, kind, what))

    # Contacts ---------------------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Set the few callbacks there are, each on its own types: one on all pairs would slow everything down."""

        def begin(arbiter: Any, space: Any, data: Any) -> None:
            first, second = arbiter.shapes
            self._touching.append((first.number, second.number))

        def felt(arbiter: Any, space: Any, data: Any) -> None:
            force = arbiter.total_impulse.length / self.terms.tick_seconds
            for shape in arbiter.shapes:
                if shape.collision_type & FELT:
                    self._blows[shape.number] = max(self._blows.get(shape.number, 0.0), force)

        def lively(arbiter: Any, space: Any, data: Any) -> None:
            first, second = arbiter.shapes
            arbiter.restitution = max(first.elasticity, second.elasticity)

        for kind in range(1, 8):
            calls: dict[str, Any] = {}
            if kind & WATCHED:
                calls["begin"] = begin
            if kind & FELT:
                calls["post_solve"] = felt
            if kind & LIVELY:
                calls["pre_solve"] = lively
            self.space.on_collision(kind, None, **calls)

    def set_gravity(self, gravity: Pair) -> None:
        """Change gravity."""
        self.space.gravity = gravity

    def describe(self, things: Iterable[PlacedThing] | None = None) -> list[dict[str, Any]]:
        """Return where things are, as data for pages and saving."""
        return [
            {
                "number": thing.number,
                "plan": thing.plan.data(),
                "x": thing.body.position.x,
                "y": thing.body.position.y,
                "angle": thing.body.angle,
                "vx": thing.body.velocity.x,
                "vy": thing.body.velocity.y,
                "spin": thing.body.angular_velocity,
                "memory": dict(thing.memory),
                "made": thing.made,
            }
            for thing in (self.things.values() if things is None else things)
        ]
