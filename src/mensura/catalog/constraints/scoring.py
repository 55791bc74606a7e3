"""Scores of a run: whether it came to the right end, and what that cost."""

from collections.abc import Mapping
from math import isclose
from typing import Any

import numpy as np

from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.dialogue import Items, Record, Score, Scores
from mensura.dialogue.record import EACH, INSTANCES

POST, ORACLE = "post", "oracle"
NAMES = ("solved", "cycles", "messages", "cost")
RIGHT = ("solved", "unsolvable", "optimal")
"""Verdicts of runs that came to the right end."""
UNKNOWN = "optimum unknown"
"""Verdict of a run that violates nothing, where the oracle does not know how well it could have been done."""
VERDICTS = (*RIGHT, "suboptimal", UNKNOWN, "limit", "wrong", "quiet but wrong", "crashed")
ROUNDED = 1e-9
"""Share of a sum by which rounding may change it."""
TOO_LONG = "The session took longer than"
"""How the last words of a session begin that ran into its limit of seconds."""


def scores(*, stop: str, **others: Any) -> tuple[Score, ...]:
    """Declare the scores; cycles and messages of a run without a right end count as much as the limit allows."""
    ends = RunEnds.read(stop)
    return (
        Score("solved", better="more", proportion=True),
        Score("cycles", better="less", low=0, unit="cycles", unanswered=ends.cycles),
        Score("messages", better="less", low=0, unit="messages", unanswered=None),
        Score("cost", better=None, unanswered=None),
    )


def verdict_of(
    post: Mapping[str, Any], truth: Mapping[str, Any] | None, *, too_long: bool = False, failed: bool = False
) -> str:
    """Return what a run came to, as the mailman and the oracle see it.

    "solved", "unsolvable" (proved, and true as far as is known), "optimal", "suboptimal" (it ended, and the gap is
    given), "optimum unknown", "limit", "wrong" (a claim that is false), "quiet but wrong" or "crashed".
    """
    over, violated = post["over"], post["violated"]
    # What is asked of an agent that failed lapses, where it can.
    if over == "lost" or (failed and post["why"] == "seconds"):
        return "limit" if too_long else "crashed"
    if over == "limit":
        return "limit"
    claims = [claim for _, claim in post["claims"]]
    if over == "stopped" and claims[0] == "unsolvable":
        return "wrong" if truth is not None and truth["solvable"] else "unsolvable"
    bad = violated is None or violated > 0
    if bad:
        return "wrong" if over == "stopped" else "quiet but wrong"
    if post["objective"] == "satisfy":
        return "solved"
    gap = gap_of(post, truth)
    if gap is None:
        return UNKNOWN
    if gap:
        return "wrong" if over == "stopped" and claims[0] == "optimal" else "suboptimal"
    return "optimal"


def gap_of(post: Mapping[str, Any], truth: Mapping[str, Any] | None) -> float | None:
    """Return how far the cost lies from the best there is; None where either is unknown."""
    if truth is None or truth["optimum"] is None or post["cost"] is None or post["violated"]:
        return None
    cost, best = float(post["cost"]), float(truth["optimum"])
    # The same real costs summed in another order differ in the last digits.
    return 0.0 if isclose(cost, best, rel_tol=ROUNDED, abs_tol=ROUNDED) else abs(cost - best)


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score the runs of a session from what the mailman counted: one, or one for each problem of a chain."""
    post = truths.get(POST, {"runs": [], "chain": {}})
    known = truths.get(ORACLE, {"runs": [None] * len(post["runs"])})
    limit = RunEnds.read(record.parameters["stop"]).cycles
    rows: list[list[Any]] = []
    outcomes: list[str] = []
    instances: list[dict[str, Any]] = []
    for number, (run, truth) in enumerate(zip(post["runs"], known["runs"], strict=True)):
        if run["over"] == "lost" and record.status == "lost":
            # We lost the session, not an agent: nothing is known of this run.
            rows.append([np.nan] * len(NAMES))
            outcomes.append("lost")
            continue
        too_long, failed = record.last_words.startswith(TOO_LONG), record.status != "finished"
        verdict = verdict_of(run, truth, too_long=too_long, failed=failed)
        right = verdict in RIGHT
        # What did not come to the right end has not ended by the limit either.
        cycles = run["cycles"] if right or verdict in ("limit", UNKNOWN) else limit
        cost = run["cost"] if not run["violated"] or run["objective"] == "satisfy" else None
        rows.append([np.nan if verdict == UNKNOWN else float(right), cycles, run["messages"]["total"], cost])
        outcomes.append("unresolved" if verdict == UNKNOWN else "answered")
        name = f"{record.session}#{number}" if len(post["runs"]) > 1 else record.session
        instances.append(instance_of(record, run, truth, verdict, name))
    table = np.array(rows, dtype=float) if rows else np.full((1, len(NAMES)), np.nan)
    keys = [f"instance{number}" for number in range(len(table))]
    values = {name: Items(table[:, place], keys) for place, name in enumerate(NAMES)}
    values["solved"].outcomes = tuple(outcomes)
    details = {INSTANCES: instances, **({EACH: post["chain"]} if post["chain"] else {})}
    return Scores(dict(values), details if instances else {})


def instance_of(
    record: Record, post: Mapping[str, Any], truth: Mapping[str, Any] | None, verdict: str, name: str
) -> dict[str, Any]:
    """Return one instance as `--json` gives it."""
    from mensura.catalog.constraints.subjects import SUBJECTS

    known = truth is not None and truth["solvable"] is not None
    elsewhere = sorted({name for name in record.cast.values() if name.split(":")[0].split("#")[0] not in SUBJECTS})
    messages = post["messages"]
    return {
        "instance": name,
        "problem": record.parameters["problem"],
        "verdict": verdict,
        "truth": "unknown" if not known else "solvable" if truth["solvable"] else "unsolvable",  # type: ignore[index]
        "assignment": post["assignment"],
        "cost": post["cost"],
        "optimum": None if truth is None else truth["optimum"],
        "gap": gap_of(post, truth),
        "over": post["over"],
        "why": post["why"],
        "execution": record.parameters["execution"],
        "reading": record.parameters["reading"],
        "cycles": post["cycles"],
        "messages": messages,
        "size": post["size"],
        "checks": post["checks"],
        "nccc": post["nccc"],
        "idle": post["idle"],
        "nogoods": post["nogoods"],
        "links_added": post["links_added"],
        "privacy": privacy_of(record, post),
        "links_per_variable": post["notes"].get("links_per_variable"),
        "components": post.get("components"),
        "refused": post["refused"],
        "refusals": post["refusals"],
        "curve": post["curve"],
        "self_reported": bool(elsewhere),
    }


def privacy_of(record: Record, post: Mapping[str, Any]) -> dict[str, Any] | str:
    """Return which share of private tuples was revealed, where that was asked for and is small enough to enumerate."""
    from mensura.catalog.constraints.privacy import NOT_COMPUTED, privacy_lost
    from mensura.catalog.constraints.subjects import SUBJECTS

    names = set(record.cast.values())
    who = next(iter(names), "")
    if "world" not in post or len(names) != 1 or who not in SUBJECTS:
        return NOT_COMPUTED
    from mensura.catalog.constraints.order.tree import tree_of
    from mensura.catalog.constraints.problem.problem import Problem

    parameters = record.parameters
    problem = Problem.read(post["world"]["problem"])
    return privacy_lost(
        problem,
        ranks={agent: rank for rank, agent in enumerate(post["world"]["order"])},
        tree=tree_of(problem, root=parameters["root"], child=parameters["child"]),
        make=SUBJECTS[who],
        reading=parameters["reading"],
        most=parameters["privacy"],
    )
