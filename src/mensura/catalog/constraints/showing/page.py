"""The page on which agents are watched while they agree."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mensura.catalog.constraints.dialogue import constraints
from mensura.catalog.constraints.families.find import FAMILIES
from mensura.catalog.constraints.showing.computing import compute
from mensura.catalog.constraints.showing.replaying import replayed
from mensura.catalog.constraints.subjects import SUBJECTS
from mensura.dialogue import Event
from mensura.dialogue.parameters import Parameter, read_parameters
from mensura.errors import BadParameter

OFFERED = ("order", "execution", "reading", "delay", "loss", "duplication", "reordering", "channel", "stop")
"""Parameters of the test that the page offers beside the problem's own."""
ORDERS = ("lex", "random", "max-degree", "max-cardinality", "min-width", "min-domain")
LONG_ENOUGH = "cycles=300"


class NetworkPage:
    """Watch agents agree: a network, its letters, and what they cost; one algorithm, or two side by side."""

    title: ClassVar[str] = "Watch agents agree"
    page: ClassVar[Mapping[str, str]] = {
        "package": __package__,
        "template": "network.html",
        "script": "network.js",
        "style": "network.css",
    }

    def data(self) -> dict[str, Any]:
        """Return what the page is drawn with: families and their parameters, those of the test, and algorithms."""
        offered = {name: _described(constraints.parameters[name]) for name in OFFERED}
        offered["order"]["choices"] = list(ORDERS)
        # What takes real time cannot be computed beforehand.
        offered["execution"]["choices"].remove("real")
        offered["stop"]["default"] = LONG_ENOUGH
        families = {
            name: {key: _described(one) for key, one in read_parameters(family, leave_out=("rng",)).items()}
            for name, family in FAMILIES.items()
        }
        return {"families": families, "parameters": offered, "algorithms": sorted(SUBJECTS)}

    def answer(self, asked: Any) -> dict[str, Any]:
        """Compute a `run` of each algorithm on the same instance, or what an agent has `known` at a point of one."""
        if not isinstance(asked, Mapping) or not isinstance(asked.get("parameters", {}), Mapping):
            raise BadParameter("Ask with the names of algorithms and with parameters.")
        seed, given = asked.get("seed", 1), dict(asked.get("parameters", {}))
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**53:
            raise BadParameter("A seed is a whole number from 0.")
        if unknown := set(given) - {"problem", *OFFERED}:
            raise BadParameter(f"This page does not set {', '.join(sorted(unknown))}.")
        who = asked.get("who")
        if not isinstance(who, list) or not 1 <= len(who) <= 2 or not all(isinstance(one, str) for one in who):
            raise BadParameter("Name one algorithm, or two.")
        if asked.get("want", "run") == "known":
            act, waking, agent = (asked.get(name) for name in ("act", "waking", "agent"))
            run = compute(who[0], seed=seed, upto=(int(act or 0), int(waking or 0)), **given)
            if agent not in run.agents:
                raise BadParameter(f"There is no agent {agent!r}.")
            return {"known": run.known(str(agent))}
        return {"runs": [compute(one, seed=seed, **given).data() for one in who]}

    def replay(self, events: Sequence[Event], parameters: Mapping[str, Any], cast: Mapping[str, str]) -> dict[str, Any]:
        """Return a stored session, or one under way, from its log."""
        if "problem" not in parameters or "reading" not in parameters:
            raise BadParameter("Sessions of the test constraints can be watched here.")
        return {"runs": [replayed(events, parameters, name=", ".join(dict.fromkeys(cast.values())))]}


def _described(one: Parameter) -> dict[str, Any]:
    """Describe a parameter so that a page can draw a control: choices, a slider with its ends, or a text."""
    default = one.shown
    found: dict[str, Any] = {"default": default, "choices": list(one.choices)}
    if one.type is bool:
        return found | {"choices": [False, True]}
    if one.type is int:
        return found | {"low": 0 if default == 0 else 1, "high": max(10, 4 * int(default or 0)), "step": 1}
    if one.type is float:
        share = default is not None and 0 <= default <= 1
        return found | {"low": 0, "high": 1 if share else 4 * float(default or 1), "step": 0.01 if share else 0.1}
    return found
