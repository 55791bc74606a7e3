"""Reference detectors on small, hand-made evidence."""

import json

import pytest
from click.testing import CliRunner

from mensura.catalog.detection.command import generate
from mensura.catalog.detection.detectors import Picture, discover_links, foresee_attacks, match_rules, suspects_in
from mensura.catalog.detection.detectors.clusters import find_clusters, read_cluster
from mensura.catalog.detection.detectors.ties import Graph, closeness
from mensura.catalog.detection.hypotheses.files import Files, score_files

TABLES = {
    "modes": {
        "mode": ["M0", "M0", "M0", "M1", "M1", "M1"],
        "destructive": [False, False, False, True, True, True],
        "asset": ["C0", "R0", "R1", "C0", "R0", "R2"],
    },
    "targets": {"target": ["T0", "T0", "T1", "T1"], "mode": ["M0", "M1", "M0", "M1"]},
    "names": {"name": [f"I{number}" for number in range(30)]},
}
PARAMETERS = {"exploitation_days_mean": 60.0, "pace": 1.0, "threat_pace": 1.0, "applying_share": 0.15}


def picture(rows, cases=()):
    numbered = [(number, row[0], *row) for number, row in enumerate(rows)]
    return Picture.from_tables(TABLES, rows=numbered, cases=cases, parameters=PARAMETERS)


def application(day, actor, item, target="T0"):
    return (day, "application", actor, None, item, target)


DESTRUCTIVE = [application(100, "I1", "C0"), application(102, "I2", "R0"), application(104, "I3", "R2")]
PEACEFUL = [application(100, "I4", "C0", "T1"), application(102, "I5", "R0", "T1"), application(104, "I6", "R1", "T1")]
CALLS = [(80 + number, "call", "I1", f"I{other}", None, None) for number, other in enumerate((2, 3, 7, 2, 3, 7))]
CALLS += [(90, "meeting", "I7", "I2", None, None), (91, "meeting", "I7", "I3", None, None)]


def test_a_destructive_mode_is_told_from_a_peaceful_one_by_what_was_applied():
    found = match_rules(picture(DESTRUCTIVE + PEACEFUL))
    assert [each["targetInExploitation"] for each in found] == ["T0"]
    assert found[0]["modeInExploitation"] == "M1"
    assert found[0]["deliberateActors"] == ["I1", "I2", "I3"]
    assert (found[0]["minAssetApplicationEndingDate"], found[0]["maxAssetApplicationEndingDate"]) == (100, 104)


def test_applications_far_apart_in_time_are_two_clusters():
    later = [application(day + 60, "I1", "R0") for day, *_ in DESTRUCTIVE]
    assert len(find_clusters(picture(DESTRUCTIVE + later), gap=9)) == 2


def test_fit_is_best_for_the_mode_whose_needs_were_all_seen():
    shown = picture(DESTRUCTIVE)
    best, second = read_cluster(shown, frozenset(shown.assets[name] for name in ("C0", "R0", "R2")), 0)
    assert (best.mode, best.fit) == (1, 1.0)
    assert second.fit == pytest.approx(2 / 3)


def test_link_discovery_finds_the_leader_and_the_member_who_only_talked():
    found = discover_links(picture(DESTRUCTIVE + CALLS))
    attack = next(each for each in found if each["type"] == "VulnerabilityExploitationCase")
    assert attack["directingAgent"] == "I1"
    assert set(attack["deliberateActors"]) == {"I1", "I2", "I3", "I7"}


def test_two_attacks_by_one_team_are_put_down_to_one_group():
    second = [(day + 150, kind, actor, other, item, "T1") for day, kind, actor, other, item, _ in DESTRUCTIVE]
    found = discover_links(picture(DESTRUCTIVE + second + CALLS))
    groups = [each for each in found if each["type"] == "ThreatGroup"]
    attacks = [each for each in found if each["type"] == "VulnerabilityExploitationCase"]
    assert len(groups) == 1
    assert {each["performedBy"] for each in attacks} == {groups[0]["uid"]}
    assert groups[0]["exploitsVulnerabilities"] == ["M1"]


def test_a_case_in_evidence_is_completed_and_keeps_its_identifier():
    case = {"type": "VulnerabilityExploitationCase", "uid": "Attack-1", "targetInExploitation": "T0", "endingDate": 106}
    found = discover_links(picture(DESTRUCTIVE + CALLS, cases=[case]))
    attacks = [each for each in found if each["type"] == "VulnerabilityExploitationCase"]
    assert [each["uid"] for each in attacks] == ["Attack-1"]
    assert attacks[0]["modeInExploitation"] == "M1"


def test_nothing_is_reported_from_nothing():
    assert match_rules(picture([])) == []
    assert discover_links(picture([])) == []


def test_those_whose_dealings_are_mostly_with_some_are_close_to_them():
    pairs = ((0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (3, 6))
    rows = [(1, "call", f"I{a}", f"I{b}", None, None) for a, b in pairs]
    # Name 2 deals once with each of two seeds and once with another: 2 ties of 3, by two seeds, over 1 + 3.
    assert closeness(Graph.of(picture(rows)), [0, 1]) == {0: 1 / 3, 1: 1 / 3, 2: 2 * 2 / 4}


def test_a_written_world_can_be_read_searched_and_scored(tmp_path):
    CliRunner().invoke(
        generate, ["--out", str(tmp_path), "--individuals", "400", "--seed", "3"], catch_exceptions=False
    )
    # A detector is handed the folder without the answer key.
    (tmp_path / "truth").rename(tmp_path / "key")
    found = discover_links(Picture.from_folder(tmp_path))
    path = tmp_path / "H.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in found))
    files = Files(
        tmp_path / "specification.yaml",
        tmp_path / "key" / "reference.jsonl",
        path,
        evidence=tmp_path / "evidence" / "cases.jsonl",
    )
    scored = score_files(files)
    attacks = scored.data["types"]["VulnerabilityExploitationCase"]
    assert attacks["over_evidence"]["mean_pair_f"]["value"] > 0.1


VISITS = [(95, "visit", "I1", None, None, "T0"), (97, "visit", "I2", None, None, "T0")]
ACQUIRED = [(80, "purchase", "I1", "I20", "R0", None), (82, "purchase", "I2", "I20", "R2", None)]


def test_suspects_at_a_target_with_the_means_to_destroy_it_are_alerted_before_anything_is_applied():
    shown = picture(CALLS + VISITS + ACQUIRED)
    (alert,) = foresee_attacks(shown, {1, 2}, today=100)
    assert (alert["targetInExploitation"], alert["modeInExploitation"]) == ("T0", "M1")
    assert set(alert["deliberateActors"]) == {"I1", "I2"}
    assert alert["endingDate"] == 121
    assert alert["startingDate"] <= 100 < alert["endingDate"]


@pytest.mark.parametrize(
    ("rows", "suspects", "today"),
    [
        (CALLS + VISITS + ACQUIRED, {9}, 100),
        (CALLS + VISITS + ACQUIRED, {1, 2}, 130),
        (CALLS + VISITS, {1, 2}, 100),
        (CALLS + VISITS + [(80, "purchase", "I1", "I20", "R1", None), *ACQUIRED[:1]], {1, 2}, 100),
    ],
    ids=["nobody is suspected", "long ago", "nothing acquired", "peaceful means"],
)
def test_nothing_is_foreseen_without_suspects_visits_of_late_or_destructive_means(rows, suspects, today):
    assert foresee_attacks(picture(rows), suspects, today=today) == []


def test_suspects_are_all_names_in_attacks_groups_and_classes_of_aliases():
    records = [
        {"type": "ThreatGroup", "uid": "g", "memberAgents": ["I1", "Person-7"]},
        {"type": "ThreatIndividualEC", "uid": "Person-7", "hasMember": ["I7", "I8"]},
        {"type": "VulnerabilityExploitationCase", "uid": "a", "deliberateActors": ["I3"]},
    ]
    assert suspects_in(records) == {1, 3, 7, 8}
