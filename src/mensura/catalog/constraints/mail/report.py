"""Report: the measures of one run, as JSON."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from mensura.catalog.constraints.mail.mailman import Mailman


def report_of(mailman: "Mailman") -> dict[str, Any]:
    """Return what a run came to and what it cost, over all agents and for each."""
    tallies, standing = mailman.tallies, mailman.standing
    by_kind: dict[str, int] = {}
    for tally in tallies:
        for kind, count in tally.sent.items():
            by_kind[kind] = by_kind.get(kind, 0) + count
    complete = standing.complete
    cost, violated = standing.cost() if complete else (None, None)
    clocks = mailman.clocks
    largest = [max(clock[1 + at] for clock in clocks.values()) for at in range(len(mailman.latencies))]
    agents = {
        agent: {
            "sent": dict(tally.sent),
            "received": tally.received,
            "obsolete": tally.obsolete,
            "size": tally.size,
            "checks": tally.checks,
            "wakings": tally.wakings,
            "nogoods": tally.nogoods,
            "links_added": tally.links,
            "nccc": clocks[agent][1],
        }
        for agent, tally in zip(mailman.agents, tallies, strict=True)
    }
    return {
        "objective": mailman.problem.objective,
        "components": mailman.problem.components,
        "over": mailman.over,
        "why": mailman.why,
        "claims": [list(claim) for claim in mailman.claims],
        "assignment": standing.assignment(),
        "cost": cost,
        "violated": violated,
        "cycles": mailman.cycle,
        "messages": {
            "total": mailman.messages,
            "by_kind": dict(sorted(by_kind.items())),
            "received": sum(tally.received for tally in tallies),
            "obsolete": sum(tally.obsolete for tally in tallies),
        },
        "network": mailman.network.report(),
        "size": sum(tally.size for tally in tallies),
        "checks": mailman.checks,
        "nccc": {str(latency): most for latency, most in zip(mailman.latencies, largest, strict=True)},
        "idle": idle_share(mailman),
        "nogoods": sum(tally.nogoods for tally in tallies),
        "links_added": sum(tally.links for tally in tallies),
        "curve": [list(point) for point in mailman.curve],
        "refused": dict(mailman.refusals.counts),
        "refusals": list(mailman.refusals.words.values()),
        "agents": agents,
    }


def idle_share(mailman: "Mailman") -> float | None:
    """Return the mean share of the concurrent time, at latency 0, in which an agent checked nothing."""
    if not mailman.checks:
        return None
    checks = np.array([tally.checks for tally in mailman.tallies], dtype=float)
    longest = float(max(clock[1] for clock in mailman.clocks.values()))
    return float(1 - checks.mean() / longest) if longest else None
