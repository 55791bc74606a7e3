"""Link discovery: patterns at targets, backed by what the people behind them acquired and whom they deal with."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from mensura.catalog.detection.detectors.circle import Acquaintances
from mensura.catalog.detection.detectors.clusters import AssetCluster, Interpretation, find_clusters, read_cluster
from mensura.catalog.detection.detectors.picture import Picture, Record
from mensura.catalog.detection.detectors.rules import application_gap, attack_record
from mensura.catalog.detection.detectors.ties import Graph, closeness
from mensura.catalog.detection.world.truth import ATTACK, GROUP

CLOSE = 1.0


@dataclass(frozen=True, slots=True)
class SuspectedAttack:
    """A cluster read as an attack, with the team that stands behind it and its leader."""

    cluster: AssetCluster
    reading: Interpretation
    team: tuple[int, ...]
    leader: int | None
    end: int
    score: float


def discover_links(picture: Picture, *, least_fit: float = 0.55, team_size: int = 6) -> list[Record]:
    """Report attacks, their teams and leaders, and the groups behind several of them.

    Teams are those who applied assets and the names closest to them in calls, meetings and transfers at the time.
    Assets that the team acquired before count for the mode too. Attacks by teams that share members or ties are put
    down to one group. What stands in evidence already is kept and completed.
    """
    graph = Graph.of(picture)
    circle = Acquaintances(picture)
    suspicions = []
    for cluster in find_clusters(picture, gap=application_gap(picture)):
        found = _suspect(picture, cluster, circle, team_size)
        if found is not None and found.score >= least_fit:
            suspicions.append(found)
    return _with_evidence(picture, suspicions, _groups(suspicions, graph), graph)


def suspects_in(records: Iterable[Record]) -> set[int]:
    """Return every name that takes part in an attack, or belongs to a threat group, or is another name of someone."""
    keys = ("deliberateActors", "memberAgents", "hasMember")
    return {
        int(name[1:])
        for record in records
        for key in keys
        for name in record.get(key, ())
        if name.startswith("I") and name[1:].isdecimal()
    }


def _suspect(picture: Picture, cluster: AssetCluster, circle: Acquaintances, team_size: int) -> SuspectedAttack | None:
    readings = read_cluster(picture, cluster.assets, cluster.target)
    if not readings:
        return None
    team = _team(picture, cluster, circle, team_size)
    acquired = circle.acquired(team, cluster)
    scored = sorted((_score(picture, cluster, reading, acquired), -reading.mode, reading) for reading in readings)
    score, _, best = scored[-1]
    if best.mode not in picture.destructive or len(cluster.assets & picture.needs[best.mode]) < 2:
        return None
    others = [value for value, _, reading in scored if reading.mode not in picture.destructive]
    if others and max(others) > score - 0.02:
        return None
    leader = circle.leader(team, cluster)
    # The day of a reported incident at the target soon after, or shortly after the last application.
    incidents = circle.seen("incident", cluster.target, cluster.first, cluster.last + 15)
    end = int(picture.reports.day[incidents].min(initial=cluster.last + 16))
    return SuspectedAttack(cluster, best, team, leader, end if len(incidents) else cluster.last + 1, score)


def _score(picture: Picture, cluster: AssetCluster, reading: Interpretation, acquired: frozenset[int]) -> float:
    """Fit of what was applied, with half credit for needs that were only acquired."""
    need = picture.needs[reading.mode]
    only_acquired = len((need & acquired) - cluster.assets)
    coverage = min(1.0, reading.coverage + 0.5 * only_acquired / len(need))
    return replace(reading, coverage=coverage).fit


def _team(picture: Picture, cluster: AssetCluster, circle: Acquaintances, team_size: int) -> tuple[int, ...]:
    """Those who applied assets, and those who dealt with at least two of them at the time or was seen at the target."""
    support: dict[int, float] = {}
    for actor in cluster.actors:
        for other, weight in circle.dealings(actor, cluster).items():
            support[other] = support.get(other, 0.0) + 1.0 + 0.1 * weight
    visitors = picture.reports.actor[circle.seen("visit", cluster.target, *circle.window(cluster))]
    for visitor in np.unique(visitors[visitors >= 0]).tolist():
        if visitor in support or visitor in cluster.actors:
            support[visitor] = support.get(visitor, 0.0) + 1.0
    added = sorted((-weight, name) for name, weight in support.items() if name not in cluster.actors and weight >= 2.0)
    room = max(0, team_size - len(cluster.actors))
    return tuple(sorted({*cluster.actors, *(name for _, name in added[:room])}))


def _groups(suspicions: list[SuspectedAttack], graph: Graph) -> list[list[int]]:
    """Join attacks whose teams share a member, or deal much with one another: positions of attacks by group."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    size = len(suspicions)
    if size == 0:
        return []
    holders: dict[int, list[int]] = {}
    for place, each in enumerate(suspicions):
        for name in each.team:
            holders.setdefault(name, []).append(place)
    rows, columns = [], []
    for first, each in enumerate(suspicions):
        ties: Counter[int] = Counter()
        for name, value in closeness(graph, list(each.team)).items():
            for second in holders.get(name, ()):
                ties[second] += value  # type: ignore[assignment]
        shared = Counter(second for name in each.team for second in holders[name])
        for second in {*ties, *shared}:
            if second > first and (shared[second] >= 2 or ties[second] >= (1.0 if shared[second] else 3.0)):
                rows.append(first)
                columns.append(second)
    links = csr_array((np.ones(len(rows)), (rows, columns)), shape=(size, size))
    _, label = connected_components(links, directed=False)
    return [np.flatnonzero(label == each).tolist() for each in np.unique(label)]


def _with_evidence(
    picture: Picture, suspicions: list[SuspectedAttack], groups: list[list[int]], graph: Graph
) -> list[Record]:
    """Write attacks and groups down, completing what stands in evidence where it speaks of the same."""
    known_groups = [dict(case) for case in picture.cases if case["type"] == GROUP]
    known_attacks = [dict(case) for case in picture.cases if case["type"] == ATTACK]
    records = [dict(case) for case in picture.cases if case["type"] not in (GROUP, ATTACK)]
    attacks: list[Record] = []
    for number, group in enumerate(groups):
        team = {name for place in group for name in suspicions[place].team}
        # Those whose dealings are mostly with a team belong to it.
        team |= {name for name, value in closeness(graph, sorted(team)).items() if value >= CLOSE}
        modes = sorted({suspicions[place].reading.mode for place in group})
        record = _group_record(sorted(team), modes, known_groups, number)
        # A group that shows in one attack only is as likely a mistake.
        if len(group) > 1 or not str(record["uid"]).startswith("link-"):
            records.append(record)
            uid = record["uid"]
        else:
            uid = None
        for place in group:
            attacks.append(_attack(picture, suspicions[place], uid, number=place))
    return records + known_groups + _merged(attacks, known_attacks)


def _group_record(team: list[int], modes: list[int], known: list[Record], number: int) -> Record:
    names = [f"I{name}" for name in team]
    for case in known:
        shared = set(case.get("memberAgents", ())) & set(names)
        if len(shared) >= 2 or (shared and len(case.get("memberAgents", ())) <= 3):
            members = list(dict.fromkeys([*case.get("memberAgents", ()), *names]))
            both = list(dict.fromkeys([*case.get("exploitsVulnerabilities", ()), *(f"M{mode}" for mode in modes)]))
            known.remove(case)
            return {**case, "memberAgents": members, "exploitsVulnerabilities": both}
    return {
        "type": GROUP,
        "uid": f"link-group-{number}",
        "memberAgents": names,
        "exploitsVulnerabilities": [f"M{mode}" for mode in modes],
    }


def _attack(picture: Picture, suspicion: SuspectedAttack, group: object, *, number: int) -> Record:
    record = attack_record(picture, suspicion.cluster, suspicion.reading, uid=f"link-{number}")
    record["endingDate"] = suspicion.end
    record["startingDate"] = max(0, round(suspicion.end - picture.days_mean))
    record["deliberateActors"] = [f"I{name}" for name in suspicion.team]
    record["confidence"] = round(suspicion.score, 6)
    if suspicion.leader is not None:
        record["directingAgent"] = f"I{suspicion.leader}"
    if group is not None:
        record["performedBy"] = group
    return record


def _merged(attacks: list[Record], known: list[Record]) -> list[Record]:
    """Complete cases in evidence by the attack found that agrees with them in most; keep the rest as they are."""
    left = list(attacks)
    merged = []
    for case in known:
        agreement = [_agreement(case, attack) for attack in left]
        if agreement and max(agreement) >= 2:
            attack = left.pop(int(np.argmax(agreement)))
            actors = list(dict.fromkeys([*case.get("deliberateActors", ()), *attack.get("deliberateActors", ())]))
            found = {key: value for key, value in attack.items() if key != "uid"}
            merged.append({**case, **found, **({"deliberateActors": actors} if actors else {})})
        else:
            merged.append({**case, "confidence": case.get("confidence", 0.5)})
    return merged + left


def _agreement(case: Record, attack: Record) -> int:
    points = 0
    for key, value in case.items():
        if key.endswith("Date"):
            points += abs(value - attack.get(key, 10**6)) <= 10
        elif key in ("targetInExploitation", "modeInExploitation", "directingAgent", "performedBy"):
            points += value == attack.get(key)
        elif key == "deliberateActors":
            points += len(set(value) & set(attack.get(key, ())))
    return points
