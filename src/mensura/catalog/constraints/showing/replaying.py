"""Replaying: a stored session as frames, from what its log holds alone: no seed is needed, and no truth."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.mail.post import Post
from mensura.catalog.constraints.mail.share import AgentShare, merged
from mensura.catalog.constraints.problem.constraint import Constraint
from mensura.catalog.constraints.problem.problem import Problem
from mensura.catalog.constraints.showing.picture import picture_of
from mensura.catalog.constraints.showing.watching import RunWatch
from mensura.dialogue import Event
from mensura.errors import BadData

PLACED = ("queens", "proteins", "sensors")
"""Families that are drawn at places of their own, which no chance moves."""


def replayed(events: Iterable[Event], parameters: Mapping[str, Any], *, name: str) -> dict[str, Any]:
    """Return a session as frames, with the agents that have not answered yet and whether it is over."""
    posts: dict[str, Post] = {}
    shares: dict[str, AgentShare] = {}
    acts: list[RunWatch] = []
    over = False
    for event in events:
        if event.kind == "ask" and (event.content or {}).get("prompt", {}).get("kind") == Post.kind:
            post = posts[event.role] = Post.read(event.content["prompt"])
            if post.share is not None:
                shares[event.role] = post.share
        elif event.kind == "answer" and event.role in posts:
            if shares:
                problem = problem_of(shares, parameters["problem"])
                acts.append(RunWatch(problem, picture_of(problem)))
                shares = {}
            post = posts.pop(event.role)
            acts[-1].wake(event.role, post.cycle, post.letters, event.value)
        over = over or event.kind in ("end", "fail")
    if shares and not acts:
        problem = problem_of(shares, parameters["problem"])
        acts.append(RunWatch(problem, picture_of(problem)))
    if not acts:
        raise BadData("The log of this session holds no letters: it has not begun, or was run without --trace full.")
    given = {one: parameters[one] for one in ("problem", "execution", "reading", "order")}
    shown = [act.data() | {"verdict": ""} for act in acts]
    return {"name": name, "seed": None, **given, "acts": shown, "waiting": list(posts), "over": over}


def problem_of(shares: Mapping[str, AgentShare], text: str) -> Problem:
    """Put a problem together again from what its agents were told of it."""
    family = text.partition(":")[0]
    like = find_problem(text, np.random.default_rng(0)) if family in PLACED else None
    domains: dict[tuple[Any, ...], str] = {}
    variables: dict[str, str] = {}
    found: dict[frozenset[str], Constraint] = {}
    for share in shares.values():
        for name in share.variables:
            values = share.domains[name]
            variables[name] = domains.setdefault(values, f"values {len(domains)}")
        for scope, table in share.relations:
            same = found.get(frozenset(scope))
            if same is not None:
                moved = np.moveaxis(table, range(table.ndim), [same.scope.index(one) for one in scope])
                # Both ends were told the same, or each its own side.
                table = moved if np.array_equal(moved, same.table) else merged(same.table, moved)
                scope = same.scope
            found[frozenset(scope)] = Constraint(scope, table)
    return Problem(
        name=family,
        objective=next(iter(shares.values())).objective,  # type: ignore[arg-type]
        domains={name: values for values, name in domains.items()},
        variables=variables,
        agents={role: share.variables for role, share in shares.items()},
        constraints=tuple(found.values()),
        place=None if like is None else like.place,
        notes={} if like is None else like.notes,
    )
