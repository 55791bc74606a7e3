"""Scores of the schemas: right answers, answers that change when the sentence says so, and questions asked in place."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.imitation.winograd.subjects import ASK_BACK
from mensura.dialogue import Items, Record, Score, Scores
from mensura.dialogue.record import ESTIMATES
from mensura.stats import two_sample_difference

SWITCHED, AFTER = "switched", "after"
COST = 0.25
"""What asking costs where the sentence is clear, as a share of a right answer."""
SCORES = (
    Score("accuracy", better="more", low=0, high=1, label="right answers"),
    Score("twins", better="more", proportion=True, label="both twins right"),
    Score("consistency", better="more", proportion=True, label="answer changes with the special word"),
    Score("switching", better="more", low=0, high=1, label="answer follows exchanged candidates"),
)
ASKING = (
    Score("discernment", better="more", low=-1, high=1, label="asks more where it is ambiguous"),
    Score("credit", better="more", low=0, high=1, label="right, asking only where needed"),
    Score("people", better="more", low=0, high=1, label="share of people who would agree"),
)


def declared_scores(**parameters: Any) -> tuple[Score, ...]:
    """Return the scores: those of asking too, where the subject may ask."""
    return (*SCORES, *ASKING) if parameters.get("ask") else SCORES


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Return the share of right sentences of each schema, and of twins and exchanged candidates whether they held.

    A schema is the unit of every interval: its sentences share their difficulty. What was not answered is wrong, does
    not change with the word and does not follow an exchange, so leaving out never pays; what was lost is unknown.
    Ambiguous sentences count for asking only.
    """
    given = {answer.key: answer.value if answer.status == "answered" else None for answer in record.answers}
    lost = {answer.key.removesuffix(f"/{AFTER}") for answer in record.answers if record.outcome_of(answer) == "lost"}
    items = {key: _item(truth) for key, truth in truths.items() if not key.endswith(f"/{AFTER}")}
    schemas: dict[str, list[str]] = {}
    for key in items:
        schemas.setdefault(key.split("/")[0], []).append(key)
    rows: dict[str, dict[str, float]] = {score.name: {} for score in SCORES}
    for id, keys in sorted(schemas.items()):
        if any(items[key]["ambiguous"] for key in keys):
            continue
        known = [key for key in keys if key in given and key not in lost]
        plain = sorted(key for key in known if not key.endswith(SWITCHED))
        final = {key: _final(key, given) for key in known}
        right = {key: final[key] == items[key]["right"] for key in known}
        rows["accuracy"][id] = float(np.mean([right[key] for key in plain])) if plain else np.nan
        if len([key for key in keys if not key.endswith(SWITCHED)]) == 2:
            whole = len(plain) == 2
            first, second = (final.get(key) for key in plain) if whole else (None, None)
            changed = first is not None and second is not None and first != second
            rows["twins"][id] = float(all(right[key] for key in plain)) if whole else np.nan
            rows["consistency"][id] = float(changed) if whole else np.nan
        pairs = [(key, f"{key}/{SWITCHED}") for key in plain if f"{key}/{SWITCHED}" in known]
        if pairs:
            followed = [None not in (final[a], final[b]) and final[a] != final[b] for a, b in pairs]
            rows["switching"][id] = float(np.mean(followed))
    found = Scores({name: _per_schema(row) for name, row in rows.items()})
    left = sum(any(items[key]["ambiguous"] for key in keys) for keys in schemas.values())
    found.details["ambiguous"] = left
    if record.parameters.get("ask"):
        _add_asking(found, schemas, items, given, lost)
    return found


def _add_asking(
    found: Scores,
    schemas: Mapping[str, list[str]],
    items: Mapping[str, Mapping[str, Any]],
    given: Mapping[str, Any],
    lost: set[str],
) -> None:
    """Add what asking came to: a question costs where nothing was open, and a lucky guess earns nothing where it was.

    So neither always asking nor never asking does better than asking where it is needed, whatever the answers are.
    """
    surveyed = any(item["people"] for item in items.values())
    asked: dict[bool, list[float]] = {True: [], False: []}
    credit: dict[str, float] = {}
    people: dict[str, float] = {}
    for id, keys in sorted(schemas.items()):
        known = [key for key in keys if key in given and key not in lost]
        if not known:
            credit[id] = people[id] = np.nan
            continue
        ambiguous = bool(items[known[0]]["ambiguous"])
        # Where nothing was answered, it counts as what is worse: silence is no tact.
        asked[ambiguous].append(
            float(np.mean([given[key] == ASK_BACK or (given[key] is None and not ambiguous) for key in known]))
        )
        credit[id] = float(np.mean([_credit(key, items[key], given) for key in known]))
        agreement = [_agreement(key, items[key], given) for key in known] if surveyed else [np.nan]
        people[id] = float(np.mean(agreement))
    found.values |= {"credit": _per_schema(credit), "people": _per_schema(people)}
    if asked[True] and asked[False]:
        found.values["discernment"] = float(np.mean(asked[True]) - np.mean(asked[False]))
        if min(map(len, asked.values())) > 1:
            own = two_sample_difference(first=asked[True], second=asked[False]).difference
            found.details[ESTIMATES] = {"discernment": own.as_json()}
    else:
        found.values["discernment"] = np.nan


def _credit(key: str, item: Mapping[str, Any], given: Mapping[str, Any]) -> float:
    asked = given[key] == ASK_BACK
    right = float(_final(key, given) == item["right"])
    if item["ambiguous"]:
        return right if asked else 0.0
    return right * (1 - COST) if asked else right


def _agreement(key: str, item: Mapping[str, Any], given: Mapping[str, Any]) -> float:
    """Return the share of people who answered the same; whether it is right, where something open was asked about."""
    asked, final = given[key] == ASK_BACK, _final(key, given)
    if asked and item["ambiguous"]:
        return float(final == item["right"])
    if not item["people"]:
        return np.nan
    share = float(item["people"].get(final, 0.0)) if final is not None else 0.0
    return share * (1 - COST) if asked else share


def _final(key: str, given: Mapping[str, Any]) -> Any:
    """Return the answer that counts: after a question, the one that followed it."""
    return given.get(f"{key}/{AFTER}") if given.get(key) == ASK_BACK else given.get(key)


def _item(truth: Any) -> Mapping[str, Any]:
    return truth if isinstance(truth, Mapping) else {"right": truth, "ambiguous": False, "people": {}}


def _per_schema(row: Mapping[str, float]) -> Items:
    return Items(list(row.values()), list(row), separate=True)
