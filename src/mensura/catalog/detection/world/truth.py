"""The answer key as objects of the counter-terrorism specification, and the cases that stand in evidence already."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from mensura.catalog.detection.world.exploitation import Exploitations
from mensura.catalog.detection.world.means import Integers, Means
from mensura.catalog.detection.world.parameters import WorldParameters
from mensura.catalog.detection.world.patterns import KINDS
from mensura.catalog.detection.world.society import Population
from mensura.catalog.detection.world.transactions import Transactions

Record = dict[str, Any]
ATTACK, GROUP, PERSON, MODE = "VulnerabilityExploitationCase", "ThreatGroup", "ThreatIndividualEC", "VulnerabilityMode"
_APPLICATION = KINDS.index("application")


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """Reference objects, and those of them that stand in evidence, in part and partly wrong."""

    reference: list[Record]
    in_evidence: list[Record]

    def known(self, since: float, until: float) -> list[Record]:
        """Return what comes into evidence in a stretch of days: attacks when they are over, the rest on day -1."""
        end = {each["uid"]: each["endingDate"] for each in self.reference if each["type"] == ATTACK}
        return [each for each in self.in_evidence if since <= end.get(each["uid"], -1) < until]


def make_truth(
    parameters: WorldParameters,
    means: Means,
    society: Population,
    exploitations: Exploitations,
    transactions: Transactions,
    rng: Generator,
) -> GroundTruth:
    """Write down every threat group, its members with all their names, and every consummated attack.

    Identifiers of groups, persons and attacks are drawn at random: guessing one must not pair anything by force.
    """
    writer = _Writer(means, society, rng)
    modes = mode_records(means)
    groups = [writer.group(int(group)) for group in np.flatnonzero(society.threat)]
    persons = [writer.person(int(person)) for person in society.threat_persons()]
    first, last = application_days(exploitations, transactions)
    attacks = [writer.attack(exploitations, int(event), first[event], last[event]) for event in exploitations.attacks]
    reference = [*modes, *persons, *groups, *attacks]
    return GroundTruth(reference, [*modes, *_in_evidence(parameters, means, society, persons, groups, attacks, rng)])


def application_days(exploitations: Exploitations, transactions: Transactions) -> tuple[Integers, Integers]:
    """First and last day on which an asset was applied, from the transactions themselves; -1 where none was."""
    applied = transactions.only((transactions.kind == _APPLICATION) & (transactions.event >= 0))
    day = np.floor(applied.day).astype(np.int64)
    first = np.full(len(exploitations), np.iinfo(np.int64).max)
    last = np.full(len(exploitations), -1)
    np.minimum.at(first, applied.event, day)
    np.maximum.at(last, applied.event, day)
    return np.where(last < 0, -1, first), last


def mode_records(means: Means) -> list[Record]:
    """All modes as objects."""
    return [
        {
            "type": MODE,
            "uid": f"M{mode}",
            "modeCapabilities": [means.asset_name(int(asset)) for asset in need if asset < means.capabilities],
            "modeResourceTypes": [means.asset_name(int(asset)) for asset in need if asset >= means.capabilities],
        }
        for mode, need in enumerate(means.needs)
    ]


class _Writer:
    def __init__(self, means: Means, society: Population, rng: Generator) -> None:
        self.means, self.society = means, society
        self.group_uid = {int(g): self._uid("Group", rng) for g in np.flatnonzero(society.threat)}
        self.person_uid = {int(person): self._uid("Person", rng) for person in society.threat_persons()}
        self.rng = rng

    @staticmethod
    def _uid(kind: str, rng: Generator) -> str:
        return f"{kind}-{int(rng.integers(1 << 48)):012x}"

    def person(self, person: int) -> Record:
        names = [f"I{name}" for name in self.society.names(person)]
        return {"type": PERSON, "uid": self.person_uid[person], "hasMember": names}

    def group(self, group: int) -> Record:
        members = [self.person_uid[int(person)] for person in self.society.members(group)]
        modes = [f"M{mode}" for mode in self.society.vulnerabilities[group]]
        return {"type": GROUP, "uid": self.group_uid[group], "exploitsVulnerabilities": modes, "memberAgents": members}

    def attack(self, exploitations: Exploitations, event: int, first: int, last: int) -> Record:
        team = [self.person_uid[int(person)] for person in exploitations.team(event)]
        start = exploitations.start[event]
        record = {
            "type": ATTACK,
            "uid": self._uid("Attack", self.rng),
            "startingDate": int(start),
            "endingDate": int(start + exploitations.length[event]),
            "performedBy": self.group_uid[int(exploitations.group[event])],
            "directingAgent": team[0],
            "deliberateActors": team,
            "targetInExploitation": f"T{exploitations.target[event]}",
            "modeInExploitation": f"M{exploitations.mode[event]}",
        }
        if last >= 0:
            record |= {"minAssetApplicationEndingDate": int(first), "maxAssetApplicationEndingDate": int(last)}
        return record


def _in_evidence(
    p: WorldParameters,
    means: Means,
    society: Population,
    persons: list[Record],
    groups: list[Record],
    attacks: list[Record],
    rng: Generator,
) -> list[Record]:
    """Copy some objects in part, with some values replaced; objects keep their identifiers."""
    several = [each for each in persons if len(each["hasMember"]) > 1]
    known_persons = [each for each in several if rng.random() < p.person_in_evidence]
    known_groups = [each for each in groups if rng.random() < p.group_in_evidence]
    known_attacks = [each for each in attacks if rng.random() < p.attack_in_evidence]
    person_uids = {each["uid"] for each in known_persons}
    group_uids = [each["uid"] for each in known_groups]
    # A person with no case of their own in evidence is called by their usual name.
    usual = {each["uid"]: each["uid"] if each["uid"] in person_uids else each["hasMember"][0] for each in persons}

    def someone() -> str:
        return f"I{rng.integers(society.identities)}"

    def some(values: list[str], stranger: Any) -> list[str]:
        kept = [value for value in values if rng.random() < p.member_in_evidence] or values[:1]
        return list(dict.fromkeys(stranger() if rng.random() < p.attribute_corrupted else each for each in kept))

    def mode() -> str:
        return f"M{int(rng.integers(means.productive_modes, len(means.needs)))}"

    records = [dict(each) for each in known_persons]
    for each in known_groups:
        members = [usual[uid] for uid in each["memberAgents"]]
        record = {"type": GROUP, "uid": each["uid"], "memberAgents": some(members, someone)}
        if rng.random() < p.attribute_in_evidence:
            record["exploitsVulnerabilities"] = some(each["exploitsVulnerabilities"], mode)
        records.append(record)
    for each in known_attacks:
        record = {"type": ATTACK, "uid": each["uid"]}
        for key, value in each.items():
            if key in ("type", "uid") or rng.random() >= p.attribute_in_evidence:
                continue
            wrong = rng.random() < p.attribute_corrupted
            if key.endswith("Date"):
                record[key] = int(rng.integers(p.days)) if wrong else value
            elif key == "performedBy":
                if value in group_uids:
                    record[key] = group_uids[int(rng.integers(len(group_uids)))] if wrong else value
            elif key == "directingAgent":
                record[key] = someone() if wrong else usual[value]
            elif key == "deliberateActors":
                record[key] = some([usual[uid] for uid in value], someone)
            elif key == "targetInExploitation":
                record[key] = f"T{int(rng.integers(means.targets))}" if wrong else value
            else:
                record[key] = mode() if wrong else value
        records.append(record)
    return records
