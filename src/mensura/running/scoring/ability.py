"""Ability: what a session on a calibrated bank says of who took it."""

from mensura.dialogue import ABILITY, Items, Record, Scores, Test
from mensura.dialogue.record import ESTIMATES
from mensura.stats.response.ability import ability_of, share_below


def add_ability(scores: Scores, record: Record, *, test: Test) -> None:
    """Add the ability by the right and wrong answers of one conversation, where items of its bank are calibrated.

    Items that are separate dialogues are separate sessions: `mensura calibrate` puts those together.
    """
    right = scores.values.get("accuracy")
    if test.bank is None or not test.bank.calibrations or record.item or not isinstance(right, Items):
        return
    responses = dict(zip(right.keys, right.values.tolist(), strict=True))
    found = ability_of(responses, test.bank.calibrations)
    if isinstance(found, str):
        scores.details["ability"] = {"value": None, "reason": found}
        return
    norm = str(next(iter(test.bank.calibrations.values())).get("norm", ""))
    below = share_below(found.value)
    note = f"Above {100 * below:.0f} % of the norm" + (f" ({norm})." if norm else ".")
    scores.values[ABILITY.name] = found.value
    scores.declared[ABILITY.name] = ABILITY
    told = {**found.as_json(), "note": note}
    scores.details[ESTIMATES] = {ABILITY.name: told}
    scores.details["ability"] = {**told, "share_below": below, "norm": norm}
