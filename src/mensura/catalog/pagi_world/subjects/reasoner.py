"""Reasoner: in three rooms it acts on what z3 shows to follow from its briefing and senses; at the gap on reflexes."""

from __future__ import annotations

from typing import Any

from mensura.dialogue import Ask, Calls
from mensura.errors import MissingExtra
from mensura.subjects.subject import Unlearning

Row = tuple[Any, ...]


def _z3() -> Any:
    try:
        import z3
    except ImportError:
        raise MissingExtra("Reasoners", package="z3-solver", extra="reasoning") from None
    return z3


def follows(facts: list[Any], claim: Any) -> bool:
    """Return whether a claim follows from facts: they cannot all hold where it does not."""
    z3 = _z3()
    solver = z3.Solver()
    solver.add(*facts, z3.Not(claim))
    return bool(solver.check() == z3.unsat)


def which_pill(*, spoke: bool) -> bool | None:
    """Return whether I was dumbed, if it follows from the rules and from whether I heard myself speak; None if not.

    >>> which_pill(spoke=False) is None, which_pill(spoke=True)
    (True, False)
    """
    z3 = _z3()
    dumbed = [z3.Bool(f"dumbed_{name}") for name in ("me", "second", "third")]
    speaks = z3.Bool("speaks_me")
    # Two of three were dumbed, and who is dumbed does not speak.
    facts = [z3.PbEq([(one, 1) for one in dumbed], 2), z3.Implies(dumbed[0], z3.Not(speaks))]
    if spoke:
        facts.append(speaks)
    if follows(facts, dumbed[0]):
        return True
    return False if follows(facts, z3.Not(dumbed[0])) else None


def pushed_by_others(own: float, change: float, friction: float) -> bool:
    """Return whether a change of momentum cannot have come from what I did and what I touch.

    >>> pushed_by_others(0.0, 25.0, 0.0), pushed_by_others(100.0, 90.0, 20.0)
    (True, False)
    """
    z3 = _z3()
    by_me, by_ground = z3.RealVal(own), z3.Real("ground")
    facts = [by_ground <= friction, by_ground >= -friction]
    return follows(facts, by_me + by_ground != change)


class Reasoner(Unlearning):
    """A subject that infers with z3 in `three-pills`, `hijack` and `two-soldiers`; elsewhere nothing is inferred.

    `jump-the-gap` it takes by reflexes, as `reflex` takes its rooms: the jump is written down, and z3 is not asked. In
    other rooms it stands still.
    """

    recomputes = True

    def begin(self, rng: Any, role: str) -> None:
        """Begin a session."""
        self.role, self.briefing = role, ""
        self._step = 0
        self._heard: list[str] = []
        self._own = 0.0
        self._speed: float | None = None
        self._hijacked, self._since = False, 0

    def feedback(self, told: Ask) -> None:
        """Read what the room is about."""
        self.briefing += str(told.prompt)

    def __call__(self, ask: Ask) -> Any:
        if not isinstance(ask.space, Calls):
            return [0.0] * len(ask.space.low)  # type: ignore[union-attr]
        self._heard += [reply[2] for reply in ask.prompt.replies if reply[0] == "heard" and reply[1] == self.role]  # type: ignore[union-attr]
        self._step += 1
        if "dumbing pill" in self.briefing:
            return self._pills()
        if "edge of a cliff" in self.briefing:
            return self._resist(ask)
        if "Two injured soldiers" in self.briefing:
            return self._heal()
        if "beyond a gap" in self.briefing:
            return self._jump(ask)
        return [("step", 60)]

    def _pills(self) -> list[Row]:
        known = which_pill(spoke=bool(self._heard))
        if self._step == 1 and known is None:
            return [("say", "I don't know", None, None, None, None), ("step", 5)]
        if known is False and len(self._heard) == 1:
            self._heard.append("said")
            return [("say", "I was not given the dumbing pill", None, None, None, None), ("step", 30)]
        return [("step", 30)]

    def _resist(self, ask: Ask) -> list[Row]:
        """Push back what cannot have come from my own force and the ground; obligations are not represented."""
        speed = next((reply[2][0] for reply in ask.prompt.replies if reply[0] == "sensor"), None)  # type: ignore[union-attr]
        rows: list[Row] = []
        force = 0.0
        if speed is not None and self._speed is not None:
            change = 50 * (speed - self._speed)
            # The ground can hold me back by at most my weight in a tick.
            if not self._hijacked and change > 1 and pushed_by_others(self._own / 60, change, 9.0):
                self._hijacked = True
                # The speed was read before the last step, so the push was in the one before it.
                self._since = ask.prompt.tick - 2  # type: ignore[union-attr]
            if self._hijacked:
                force = -1500.0 - 3000 * speed if speed > -1 else -1500.0
        self._speed, self._own = speed, force
        if force:
            rows.append(("addForce", "BMH", max(-20000.0, force)))
        if self._step == 460:
            rows.append(("answerQuestion", "mine", "no" if self._hijacked else "yes"))
            if self._hijacked:
                rows.append(("answerQuestion", "since", self._since))
        return [*rows, ("sensorRequest", "S"), ("step", 1)]

    def _heal(self) -> list[Row]:
        """Break a large kit, since then both can be healed; with a small one heal one, since no choice heals none."""
        z3 = _z3()
        left, right, halves = z3.Bools("left right halves")
        large = "a large one" in self.briefing
        facts = [halves == large, z3.Implies(z3.Not(halves), z3.Not(z3.And(left, right)))]
        both_possible = not follows(facts, z3.Not(z3.And(left, right)))
        return _give_kit(self._step, both=both_possible)

    def _jump(self, ask: Ask) -> list[Row]:
        """Set reflexes: feel the ground ahead with a low hand, and jump where it ends or where something stands."""
        if self._step > 1:
            return [("step", 30)]
        low = [("addForce", "RHvec", ["[80*(2.6-RPx)]", "[80*(-2.4-RPy)]"])]
        return [
            ("setReflex", "feel", "", low),
            ("setReflex", "run", "Sx<3.5;-early", [("addForce", "BMH", 1400)]),
            ("setReflex", "leap", "R2_p<0.5;R4_p<0.5;-early", [("addForce", "J", None)]),
            ("setState", "early", 3000),
            ("step", 60),
        ]


def _give_kit(step: int, *, both: bool) -> list[Row]:
    """Take the kit with both hands, part it if both can be healed, and walk to one soldier, then the other."""
    if step == 1:
        left = [("addForce", "LHvec", ["[80*(-0.6-LPx)-0*LPx]", "[80*(2.0-LPy)]"])]
        right = [("addForce", "RHvec", ["[80*(0.6-RPx)]", "[80*(2.0-RPy)]"])]
        rows: list[Row] = [
            ("setReflex", "left", "-parting", left), ("setReflex", "right", "-parting", right),
            ("setReflex", "grip-left", "L4_p>0.5;-parting", [("addForce", "LHG", None)]),
            ("setReflex", "grip-right", "R4_p>0.5;-parting", [("addForce", "RHG", None)]),
            ("step", 150),
        ]  # fmt: skip
        return rows
    if step == 2:
        out = [("addForce", "LHvec", ["[60*(-3.0-LPx)]", "[60*(0.8-LPy)+15]"])]
        side = "RHvec"
        away = [("addForce", side, ["[60*(3.0-RPx)]", "[60*(0.8-RPy)+15]"])]
        return [
            ("setState", "parting", -1), ("setReflex", "out", "", out if both else []), ("setReflex", "away", "", away),
            *([] if both else [("addForce", "LHR", None)]), ("step", 60),
        ]  # fmt: skip
    walk: list[Row] = [("addForce", "BMH", 1400 if step < 8 else -1400)]
    return [("setReflex", "walk", "Sx<3" if step < 8 else "Sx>-3", walk), ("step", 60)]
