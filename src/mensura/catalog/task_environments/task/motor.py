"""Motor: how agents act on bodies."""

from dataclasses import dataclass

from mensura.catalog.task_environments.task.quantity import FORBID, Quantity

SUBJECT = ("subject",)


@dataclass(frozen=True)
class Motor:
    """Turns power into motion of its targets.

    Parameters
    ----------
    name
        What agents call it.
    targets
        The bodies that it drives; power is shared equally among them. None where a transition passes its power on.
    power
        The most power, in watts.
    reverse
        The most power backwards, as a share of `power`: 0 for a motor that goes one way.
    waste
        The share of the power that is spent and moves nothing.
    agents
        The roles that set it. What several agents set is added up and cut at the limit; what is cut is wasted. None
        where a transition sets it.
    """

    name: str
    targets: tuple[str, ...] = ()
    power: Quantity = 1.0
    reverse: float = 1.0
    waste: Quantity = 0.0
    agents: tuple[str, ...] = SUBJECT
    __pydantic_config__ = FORBID
