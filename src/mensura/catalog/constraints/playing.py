"""Playing: runs in the compiled form, where there is one; what comes of them is what the plain form would report."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from mensura.catalog.constraints.agent import Agent
from mensura.catalog.constraints.families.find import find_chain
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.mailman import Mailman, latencies_of
from mensura.catalog.constraints.mail.network import NetworkTerms
from mensura.catalog.constraints.oracle.find import truth_of
from mensura.catalog.constraints.order.find import ranks_of
from mensura.catalog.constraints.scoring import ORACLE, POST, score
from mensura.catalog.constraints.several import compiled
from mensura.catalog.constraints.streams import streams_of
from mensura.dialogue import Record, Scores

Chance = Callable[[str], np.random.Generator]
ALL = 2**62
"""More than any run spends."""


def play_batch(rng: np.random.Generator, subject: Any, *, chance: Chance, **parameters: Any) -> Scores | None:
    """Run an instance on arrays; None where only the plain form can: other algorithms, networks and problems."""
    members = list(subject.values()) if isinstance(subject, Mapping) else []
    makes = {(type(one), tuple(sorted(vars(one).items()))) for one in members if isinstance(one, Agent)}
    if len(makes) != 1 or not all(isinstance(one, Agent) for one in members):
        return None
    terms = NetworkTerms(*(parameters[name] for name in ("delay", "loss", "duplication", "reordering", "channel")))
    ends = RunEnds.read(parameters["stop"])
    plain = terms.plain and not parameters["privacy"] and ends.seconds is None
    if not plain or (parameters["execution"], parameters["reading"]) != ("sync", "packet"):
        return None
    drawn, ordered, carried = streams_of(rng)
    chain = find_chain(parameters["problem"], drawn)
    made = compiled(chain.problem, parameters["several"])
    ranks = ranks_of(made.problem, parameters["order"], ordered)
    mailman = Mailman(made.problem, rng=carried, ends=ends, latencies=latencies_of(parameters["latency"]))
    if not play(mailman, ranks, members[0], chance):
        return None
    assignment = made.expand(mailman.standing.assignment())
    chain.advance(assignment if mailman.standing.stands else None)
    if not chain.over:
        return None
    report = {**mailman.report(), "assignment": assignment, "notes": dict(made.problem.notes)}
    seconds = parameters["oracle"]
    truth = asdict(truth_of(made.problem, seconds=seconds)) if seconds > 0 else None
    record = Record("constraints-v1", parameters, cast={})
    return score(record, {POST: {"runs": [report], "chain": chain.report()}, ORACLE: {"runs": [truth]}})


def play(mailman: Mailman, ranks: Mapping[str, int], like: Agent, chance: Chance) -> bool:
    """Let agents like one agree on arrays, and fill a mailman's books as if it had carried it all; False: cannot be."""
    from mensura.catalog.constraints.compiled.forms import FORMS

    form = FORMS.get(type(like))
    run = None if form is None else form(mailman.problem, ranks, like, chance, np.array(mailman.latencies))
    if run is None:
        return False
    limits = [
        ALL if most is None else most for most in (mailman.ends.cycles, mailman.ends.messages, mailman.ends.checks)
    ]
    run.run(np.array(limits), lambda cycle, values: _note(mailman, cycle, values))
    _enter(mailman, run)
    return True


def _note(mailman: Mailman, cycle: int, values: Any) -> None:
    """Enter the values after a cycle."""
    mailman.cycle = cycle
    mailman.standing.put(values)
    mailman.draw_curve()


def _enter(mailman: Mailman, run: Any) -> None:
    """Enter what a run has counted."""
    from mensura.catalog.constraints.compiled.post import COUNTED

    counts = run.counts
    for place, tally in enumerate(mailman.tallies):
        sent = zip(run.kinds, counts.sent[place].tolist(), strict=True)
        tally.sent = {kind: count for kind, count in sent if count}
        for name in COUNTED:
            setattr(tally, name, int(getattr(counts, name)[place]))
    if hasattr(run, "curve"):
        mailman.curve = [(cycle, float(violated), violated) for cycle, violated in run.curve]
    claims = [(mailman.agents[place], "unsolvable") for place in run.stopped.tolist()]
    mailman.close(
        cycle=run.cycle,
        messages=int(counts.sent.sum()),
        checks=int(counts.checks.sum()),
        clocks=[(0, *clock) for clock in counts.clock.tolist()],
        claims=claims,
        reached=run.reached,
    )
