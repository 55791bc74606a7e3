"""Every parameter of the world, with its meaning and range."""

from dataclasses import Field, dataclass, field, fields
from math import isfinite
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mensura.errors import BadParameter, unknown


def _parameter(default: Any, about: str, low: float = 0.0, high: float | None = None) -> Any:
    return field(default=default, metadata={"about": about, "low": low, "high": high})


def _share(default: float, about: str) -> Any:
    return _parameter(default, about, 0, 1)


@dataclass(frozen=True, slots=True)
class WorldParameters:
    """What a world is made by; the metadata of each field say what it means and its range (`meaning`).

    >>> WorldParameters(individuals=200).individuals
    200
    >>> WorldParameters(observability=-1)
    Traceback (most recent call last):
    mensura.errors.BadParameter: observability must be at least 0; got -1.
    """

    # Size and time.
    individuals: int = _parameter(1000, "How many persons live in the society.", 10)
    days: int = _parameter(365, "How many days are simulated.", 30)

    # Groups.
    groups_per_thousand: float = _parameter(50.0, "How many groups there are per thousand persons.", 1)
    threat_group_share: float = _share(0.1, "Share of the groups that attack; at least one group does.")
    group_size_mean: float = _parameter(12.0, "Mean number of members of a group.", 2)
    group_size_spread: float = _parameter(0.4, "Standard deviation of the logarithm of the size of groups.")
    group_size_least: int = _parameter(6, "How many members a group has at least.", 2)
    double_membership: float = _share(0.2, "Chance that a place in a group goes to someone who is in a group already.")
    threat_double_membership: float = _share(
        0.3, "Chance that a member of a threat group is in another, harmless one too."
    )

    # Means.
    capabilities: int = _parameter(20, "How many kinds of capability there are.", 2)
    resource_types: int = _parameter(20, "How many kinds of resource there are.", 2)
    intrinsic_capabilities_mean: float = _parameter(1.5, "Mean number of capabilities a person has from the start.")
    intrinsic_resources_mean: float = _parameter(1.0, "Mean number of resource types a person owns from the start.")
    productive_modes: int = _parameter(16, "How many ways there are to use a target productively.", 1)
    destructive_modes: int = _parameter(8, "How many ways there are to destroy a target.", 1)
    capabilities_per_mode_least: int = _parameter(1, "How many capabilities a mode of use needs at least.", 1)
    capabilities_per_mode_most: int = _parameter(3, "How many capabilities a mode of use needs at most.", 1)
    resources_per_mode_least: int = _parameter(2, "How many types of resource a mode of use needs at least.", 1)
    resources_per_mode_most: int = _parameter(4, "How many types of resource a mode of use needs at most.", 1)
    mode_overlap: float = _share(0.6, "Share of a destructive mode's needs taken over from a productive mode.")

    # Targets.
    targets_per_thousand: float = _parameter(50.0, "How many targets there are per thousand persons.", 1)
    productive_modes_per_target: int = _parameter(4, "How many productive modes a target supports.", 1)
    destructive_modes_per_target: int = _parameter(2, "How many destructive modes a target is open to.", 1)
    modes_per_threat_group: int = _parameter(2, "How many destructive modes a threat group commands.", 1)
    modes_per_group: int = _parameter(3, "How many productive modes a group commands.", 1)

    # Exploitations.
    attacks_per_threat_group: float = _parameter(4.0, "Mean number of attacks that a threat group begins.")
    productive_per_threat_group: float = _parameter(3.0, "Mean number of productive exploitations by a threat group.")
    productive_per_group: float = _parameter(4.0, "Mean number of productive exploitations by a harmless group.")
    team_size_least: int = _parameter(3, "How many members a team has at least.", 2)
    team_size_most: int = _parameter(6, "How many members a team has at most: no more than the smallest group.", 2)
    team_stability: float = _share(
        0.7, "Chance that a place in a team goes to the group's core rather than to any member."
    )
    exploitation_days_mean: float = _parameter(60.0, "Mean length of an exploitation, in days.", 1)
    exploitation_days_spread: float = _parameter(
        0.3, "Standard deviation of the logarithm of the length of exploitations."
    )
    pace: float = _parameter(1.0, "Speed of all exploitations; 2 halves their length.", 0.05)
    threat_pace: float = _parameter(1.0, "Speed of attacks relative to other exploitations.", 0.05)
    target_sharing: float = _share(0.3, "Chance that an attack picks a target that others use productively.")
    abort_rate: float = _share(0.05, "Chance that a productive exploitation is broken off midway.")
    threat_abort_rate: float = _share(
        0.1, "Chance that an attack is broken off midway; it is then not in the reference."
    )

    # Patterns.
    method_sharpness: float = _share(
        0.8, "How far the choice of methods depends on team and mode: 0 not at all, 1 fully."
    )
    order_noise: float = _share(0.1, "How far steps stray from their place in time, as a share of the whole.")
    step_skip: float = _share(0.05, "Chance that a step leaves no transaction at all.")
    repetition: float = _parameter(1.0, "Factor on how often repeated steps are repeated.")
    planning_share: float = _share(0.25, "Share of the time given to planning.")
    acquiring_share: float = _share(0.35, "Share of the time given to acquiring capabilities and resources.")
    casing_share: float = _share(0.1, "Share of the time given to looking at the target.")
    delivering_share: float = _share(0.15, "Share of the time given to bringing assets to the target.")
    applying_share: float = _share(0.15, "Share of the time given to applying assets.")
    supplier_share: float = _share(0.03, "Share of persons who sell resources and teach capabilities.")
    supplier_loyalty: float = _share(0.5, "Chance that a group goes to its own supplier rather than to any.")
    covertness: float = _parameter(1.0, "Factor on the weight of covert methods when a threat team attacks.")

    # Clutter: real but beside the point.
    clutter_per_individual: float = _parameter(11.0, "How many everyday transactions there are per person.")
    signal_to_noise: float = _parameter(
        0.0,
        "Transactions of attacks per everyday transaction, in place of clutter_per_individual; 0 leaves that as it is.",
    )
    clutter_call: float = _parameter(0.45, "Weight of calls among clutter.")
    clutter_meeting: float = _parameter(0.1, "Weight of meetings among clutter.")
    clutter_purchase: float = _parameter(0.15, "Weight of purchases among clutter.")
    clutter_transfer: float = _parameter(0.05, "Weight of transfers among clutter.")
    clutter_payment: float = _parameter(0.1, "Weight of payments among clutter.")
    clutter_visit: float = _parameter(0.1, "Weight of visits among clutter.")
    clutter_training: float = _parameter(0.02, "Weight of training among clutter.")
    clutter_application: float = _parameter(0.03, "Weight of single uses of an asset among clutter.")
    clutter_in_group: float = _share(0.5, "Chance that an everyday partner is a member of one's own group.")
    clutter_popularity: float = _parameter(
        0.5, "How unequal people are in activity: exponent of a power law of rank.", 0, 3
    )
    weekly_rhythm: float = _share(0.3, "How much less happens on the last two days of a week.")

    # Observability.
    observability: float = _parameter(
        1.0, "Factor on every chance that something is in evidence (observe_call and so on)."
    )
    threat_secrecy: float = _share(0.2, "How much less is seen of attacks: 0.2 loses a fifth of what would be seen.")
    observe_call: float = _share(0.6, "Chance that a call is in evidence.")
    observe_meeting: float = _share(0.4, "Chance that a meeting is in evidence.")
    observe_purchase: float = _share(0.8, "Chance that a purchase is in evidence.")
    observe_transfer: float = _share(0.5, "Chance that a transfer is in evidence.")
    observe_payment: float = _share(0.7, "Chance that a payment is in evidence.")
    observe_visit: float = _share(0.5, "Chance that a visit is in evidence.")
    observe_training: float = _share(0.7, "Chance that training is in evidence.")
    observe_application: float = _share(0.7, "Chance that the use of an asset at a target is in evidence.")
    observe_incident: float = _share(0.3, "Chance that the end of an attack is in evidence.")
    observe_delivery: float = _share(0.7, "Chance that the end of a productive exploitation is in evidence.")
    report_delay_mean: float = _parameter(2.0, "Mean days between a transaction and its report.")

    # Noise: corruption and falsehood.
    corruption: float = _parameter(
        1.0, "Factor on every chance that a report is wrong, incomplete, invented or doubled."
    )
    corrupt_actor: float = _share(0.02, "Chance that the actor is someone else's name.")
    corrupt_other: float = _share(0.02, "Chance that the other party is someone else's name.")
    corrupt_item: float = _share(0.02, "Chance that the asset is another one.")
    corrupt_target: float = _share(0.02, "Chance that the target is another one.")
    corrupt_day: float = _share(0.05, "Chance that the day is wrong.")
    day_error: float = _parameter(5.0, "Mean number of days by which a wrong day is wrong.")
    missing_actor: float = _share(0.01, "Chance that the actor is missing.")
    missing_other: float = _share(0.02, "Chance that the other party is missing.")
    missing_item: float = _share(0.02, "Chance that the asset is missing.")
    missing_target: float = _share(0.02, "Chance that the target is missing.")
    false_transactions: float = _parameter(0.03, "Invented transactions as a share of those in evidence.")
    duplicate_reports: float = _share(0.02, "Chance that a transaction is reported twice.")

    # Aliases.
    alias_share: float = _share(0.02, "Share of persons who go by more than one name.")
    threat_alias_share: float = _share(0.3, "Share of members of threat groups who go by more than one name.")
    aliases_most: int = _parameter(3, "How many names one person has at most.", 2)
    alias_use: float = _share(0.55, "Chance that someone with several names uses another than the first.")

    # What is known of the world.
    capability_known: float = _share(0.9, "Chance that a person's capability is known.")
    resource_known: float = _share(0.9, "Chance that a resource that a person owns is known.")
    membership_known: float = _share(0.9, "Chance that a membership is listed.")
    threat_membership_known: float = _share(
        0.05, "Chance that a member of a threat group is listed there, and has not changed places with someone else."
    )
    target_mode_known: float = _share(1.0, "Chance that a mode that a target supports is known.")
    method_known: float = _share(1.0, "Chance that an alternative method of a pattern is described to the detector.")

    # Structure already in evidence.
    attack_in_evidence: float = _share(0.2, "Chance that an attack stands in evidence as a case.")
    group_in_evidence: float = _share(0.4, "Chance that a threat group stands in evidence as a case.")
    person_in_evidence: float = _share(0.3, "Chance that a class of aliases stands in evidence as a case.")
    attribute_in_evidence: float = _share(0.5, "Chance that an attribute of such a case is filled.")
    member_in_evidence: float = _share(0.4, "Chance that one of several values of such a case is listed.")
    attribute_corrupted: float = _share(0.1, "Chance that a filled value is wrong.")

    def __post_init__(self) -> None:
        for each in fields(self):
            value, low, high = getattr(self, each.name), each.metadata["low"], each.metadata["high"]
            if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
                raise BadParameter(f"{each.name} must be a number; got {value!r}.")
            if each.type is int and value != int(value):
                raise BadParameter(f"{each.name} must be a whole number; got {value}.")
            if value < low:
                raise BadParameter(f"{each.name} must be at least {low:g}; got {value:g}.")
            if high is not None and value > high:
                raise BadParameter(f"{each.name} must be at most {high:g}; got {value:g}.")
        for least in ("capabilities_per_mode", "resources_per_mode", "team_size"):
            if getattr(self, f"{least}_least") > getattr(self, f"{least}_most"):
                raise BadParameter(f"{least}_least must not exceed {least}_most.")
        if self.team_size_most > self.group_size_least:
            raise BadParameter("team_size_most must not exceed group_size_least: teams come from one group.")

    def keep_week(self, day: NDArray[np.float64], rng: Generator) -> NDArray[np.float64]:
        """Move some of what falls on the last two days of a week to the five before."""
        moved = (day % 7 >= 5) & (rng.random(len(day)) < self.weekly_rhythm)
        return np.where(moved, day - day % 7 + rng.random(len(day)) * 5, day)

    def as_json(self) -> dict[str, float]:
        """Return all values by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def meaning(parameter: "Field[Any]") -> str:
    """Return what a parameter is and which values it takes.

    >>> meaning(fields(WorldParameters)[0])
    'How many persons live in the society (10 or more).'
    """
    about, low, high = (parameter.metadata[name] for name in ("about", "low", "high"))
    span = f"{low:g} or more" if high is None else f"from {low:g} to {high:g}"
    return f"{about.removesuffix('.')} ({span})."


def parameters_from(given: dict[str, Any]) -> WorldParameters:
    """Make parameters from names and values; a name that does not exist is refused with the nearest ones that do.

    >>> parameters_from({"day_errors": 5})
    Traceback (most recent call last):
    mensura.errors.UnknownName: There is no parameter of the world called 'day_errors'. Did you mean day_error?
    """
    known = {each.name for each in fields(WorldParameters)}
    for name in given:
        if name not in known:
            raise unknown(
                "parameter of the world", name, known=known, see="`mensura generate detection --help` lists them."
            )
    return WorldParameters(**given)
