"""Nested examples worked by hand."""

from itertools import permutations
from math import isnan

import pytest

GROUP = {"type": "Group", "uid": "G", "member": ["ann", "bob", "cal", "dee"]}
ATTACK = {"type": "Attack", "uid": "R1", "group": "G", "target": "bridge", "date": 100, "actors": ["ann", "bob"]}


def test_nested_group_is_read_off_smoothly_with_its_own_recall_and_precision(score):
    # Group: 2 of 4 members found, 2 of 3 named are right. Attack bases: 3 + 5 + 2 + 2 = 12 and 3 + 5 + 2 + 1 = 11.
    # Recall 3 * 1/2 + 5 + 2 * (1 - 4/10) + 1 = 8.7; precision 3 * 2/3 + 5 + 1.2 + 1 = 9.2.
    found = score(
        [GROUP, ATTACK],
        [
            {"type": "Group", "uid": "X", "member": ["ann", "bob", "eve"]},
            {"type": "Attack", "uid": "H1", "group": "X", "target": "bridge", "date": 104, "actors": ["ann"]},
        ],
    )
    assert found.types["Group"].counts.recall == pytest.approx(1 / 2)
    assert found.types["Group"].counts.precision == pytest.approx(2 / 3)
    assert found.types["Attack"].counts.recall == pytest.approx(8.7 / 12)
    assert found.types["Attack"].counts.precision == pytest.approx(9.2 / 11)


def test_crisp_reading_gives_a_paired_group_full_credit(score):
    found = score(
        [GROUP, ATTACK],
        [
            {"type": "Group", "uid": "X", "member": ["ann", "bob", "eve"]},
            {"type": "Attack", "uid": "H1", "group": "X", "target": "bridge", "date": 104, "actors": ["ann"]},
        ],
        reading="crisp",
    )
    assert found.types["Attack"].counts.recall == pytest.approx((3 + 5 + 1.2 + 1) / 12)
    assert found.types["Attack"].counts.precision == pytest.approx((3 + 5 + 1.2 + 1) / 11)


def test_crisp_reading_respects_the_threshold_of_the_nested_type(score):
    hypotheses = [
        {"type": "Group", "uid": "X", "member": ["ann", "eve", "fay"]},
        {"type": "Attack", "uid": "H1", "group": "X", "target": "bridge"},
    ]
    low = score([GROUP, ATTACK], hypotheses, reading="crisp")
    high = score([GROUP, ATTACK], hypotheses, reading="crisp", threshold={"Group": 0.5})
    assert low.types["Attack"].counts.precision == pytest.approx(8 / 8)
    assert high.types["Attack"].counts.precision == pytest.approx(5 / 8)


TWO_GROUPS = [
    {"type": "Group", "uid": "G1", "member": ["ann", "bob"]},
    {"type": "Group", "uid": "G2", "member": ["ann", "cal"]},
    {"type": "Attack", "uid": "R1", "group": "G1", "target": "bridge"},
]
ONE_GROUP = [
    {"type": "Group", "uid": "X", "member": ["ann", "cal", "bob"]},
    {"type": "Group", "uid": "Y", "member": ["ann", "bob"]},
    {"type": "Attack", "uid": "H1", "group": "X", "target": "bridge"},
]


def test_global_pairing_credits_only_the_partner_and_local_pairing_whatever_fits_here(score):
    # Globally Y = G1 (F 1) and X = G2 (F 4/5), so the attack's group X is not the partner of G1.
    assert score(TWO_GROUPS, ONE_GROUP).types["Attack"].counts.recall == pytest.approx(5 / 8)
    # Locally X is compared with G1 itself: recall 1, precision 2/3.
    local = score(TWO_GROUPS, ONE_GROUP, nested="local").types["Attack"].counts
    assert local.recall == pytest.approx(1.0)
    assert local.precision == pytest.approx((5 + 3 * 2 / 3) / 8)


def test_one_attribute_can_be_paired_locally_while_the_rest_is_global(score):
    text = """
types:
  Attack: {case: true, attributes: {group: {domain: Group, weight: 3, pairing: local}, target: {domain: string}}}
  Group: {case: true, attributes: {member: {domain: Person, weight: 1, cardinality: many}}}
  Person: {}
"""
    found = score(TWO_GROUPS, ONE_GROUP, text)
    assert found.types["Attack"].counts.recall == pytest.approx(1.0)


def test_inline_and_named_objects_score_alike(score):
    named = score([GROUP, ATTACK], [GROUP | {"uid": "X"}, ATTACK | {"uid": "H1", "group": "X"}])
    inline = score([ATTACK | {"group": GROUP}], [ATTACK | {"uid": "H1", "group": {"member": GROUP["member"]}}])
    for name in ("Attack", "Group"):
        assert inline.types[name].counts == named.types[name].counts
        assert inline.types[name].counts.f == pytest.approx(1.0)


def test_a_member_denotes_its_whole_class_of_aliases(score):
    person = {"type": "Person", "uid": "P", "name": ["ann", "annie"]}
    found = score(
        [person, {"type": "Attack", "uid": "R1", "target": "bridge", "actors": ["ann"]}],
        [person | {"uid": "Q"}, {"type": "Attack", "uid": "H1", "target": "bridge", "actors": ["annie"]}],
    )
    assert found.types["Attack"].counts.f == pytest.approx(1.0)
    assert found.types["Person"].references == 1


def test_half_an_alias_class_earns_half_its_recall(score):
    found = score(
        [
            {"type": "Person", "uid": "P", "name": ["ann", "annie"]},
            {"type": "Attack", "uid": "R1", "target": "bridge", "actors": ["ann"]},
        ],
        [{"type": "Attack", "uid": "H1", "target": "bridge", "actors": ["ann"]}],
    )
    assert found.types["Person"].counts.recall == pytest.approx(1 / 2)
    assert found.types["Attack"].counts.recall == pytest.approx((5 + 0.5) / 6)
    assert found.types["Attack"].counts.precision == pytest.approx(1.0)


def test_anti_aliasing_by_the_reference_drops_duplicate_assertions(score):
    reference = [
        {"type": "Person", "uid": "P", "name": ["ann", "annie"]},
        {"type": "Attack", "uid": "R1", "target": "bridge", "actors": ["P", "bob"]},
    ]
    hypotheses = [{"type": "Attack", "uid": "H1", "target": "bridge", "actors": ["ann", "annie", "bob"]}]
    plain = score(reference, hypotheses).types["Attack"].counts
    resolved = score(reference, hypotheses, aliases="reference").types["Attack"].counts
    assert plain.precision < 1
    assert resolved.precision == resolved.recall == pytest.approx(1.0)


def test_two_singletons_compare_by_identifier(score):
    same = score([{"type": "Person", "uid": "ann"}], [{"type": "Person", "uid": "ann"}])
    other = score([{"type": "Person", "uid": "ann"}], [{"type": "Person", "uid": "bob"}])
    assert same.types["Person"].counts.recall == 1.0
    assert len(other.types["Person"].pairs) == 0


def test_modes_match_only_when_both_sets_are_equal(score):
    text = """
types:
  Attack: {case: true, attributes: {mode: {domain: Mode, weight: 4}, target: {domain: string, weight: 5}}}
  Mode:
    compare: strict
    attributes: {skill: {domain: Skill, cardinality: many}, resource: {domain: Resource, cardinality: many}}
  Skill: {}
  Resource: {}
"""
    mode = {"type": "Mode", "uid": "M", "skill": ["a", "b"], "resource": ["x"]}
    reference = [mode, {"type": "Attack", "uid": "R1", "mode": "M", "target": "bridge"}]
    attack = {"type": "Attack", "uid": "H1", "mode": "N", "target": "bridge"}
    equal = score(reference, [mode | {"uid": "N", "skill": ["b", "a"]}, attack], text)
    partial = score(reference, [mode | {"uid": "N", "skill": ["a"]}, attack], text)
    known = score(reference, [attack | {"mode": "M"}], text)
    assert equal.types["Attack"].counts.f == pytest.approx(1.0)
    assert partial.types["Attack"].counts.recall == pytest.approx(5 / 9)
    assert known.types["Attack"].counts.f == pytest.approx(1.0)


def test_equal_identifiers_are_paired_by_force_and_ignore_the_threshold(score):
    reference = [
        {"type": "Attack", "uid": "1", "target": "bridge"},
        {"type": "Attack", "uid": "2", "target": "tower"},
    ]
    hypotheses = [{"type": "Attack", "uid": "1", "target": "tower", "date": 3}]
    forced = score(reference, hypotheses, threshold=0.5).types["Attack"]
    free = score(reference, hypotheses, threshold=0.5, force=False).types["Attack"]
    assert [(pair["reference"], pair["f"]) for pair in forced.as_json()["pairs"]] == [("1", 0.0)]
    assert forced.pairing.forced == 1
    assert [pair["reference"] for pair in free.as_json()["pairs"]] == ["2"]


def test_an_entry_equal_to_the_threshold_is_a_candidate_and_one_below_is_not(score):
    reference = [{"type": "Attack", "uid": "1", "target": "bridge", "group": "G"}, GROUP]
    hypotheses = [{"type": "Attack", "uid": "2", "target": "bridge"}]
    f = score(reference, hypotheses).types["Attack"].pairs.f[0]
    assert len(score(reference, hypotheses, threshold=float(f)).types["Attack"].pairs) == 1
    assert len(score(reference, hypotheses, threshold=float(f) + 1e-6).types["Attack"].pairs) == 0


def test_events_that_do_not_overlap_in_time_are_never_paired(score):
    text = """
types:
  Attack:
    case: true
    conditions: [{overlap: [begin, end]}]
    attributes:
      begin: {domain: date, nominal_distance: 100}
      end: {domain: date, nominal_distance: 100}
      target: {domain: string}
"""
    reference = [{"type": "Attack", "uid": "1", "begin": 10, "end": 20, "target": "bridge"}]
    near = [{"type": "Attack", "uid": "2", "begin": 20, "end": 30, "target": "bridge"}]
    apart = [{"type": "Attack", "uid": "2", "begin": 21, "end": 30, "target": "bridge"}]
    assert len(score(reference, near, text).types["Attack"].pairs) == 1
    assert len(score(reference, apart, text).types["Attack"].pairs) == 0


def test_the_same_condition_and_the_within_condition_refuse_pairs(score):
    text = """
types:
  Attack:
    case: true
    conditions: [{same: town}, {within: day, distance: 5}]
    attributes: {town: {domain: string}, target: {domain: string}, day: {domain: number, nominal_distance: 50}}
"""
    one = {"type": "Attack", "uid": "1", "town": "Ulm", "target": "bridge", "day": 10}
    assert len(score([one], [one | {"uid": "2", "day": 15}], text).types["Attack"].pairs) == 1
    assert len(score([one], [one | {"uid": "2", "day": 16}], text).types["Attack"].pairs) == 0
    assert len(score([one], [one | {"uid": "2", "town": "Bonn"}], text).types["Attack"].pairs) == 0
    without = {key: value for key, value in one.items() if key != "town"}
    assert len(score([one], [without | {"uid": "2"}], text).types["Attack"].pairs) == 1


def test_weights_can_be_zeroed_for_attributes_a_detector_does_not_address(score):
    reference = [{"type": "Attack", "uid": "1", "target": "bridge", "date": 10}]
    hypotheses = [{"type": "Attack", "uid": "2", "target": "bridge"}]
    assert score(reference, hypotheses).types["Attack"].counts.recall == pytest.approx(5 / 7)
    zeroed = score(reference, hypotheses, weights={"Attack.date": 0})
    assert zeroed.types["Attack"].counts.recall == pytest.approx(1.0)


def test_string_similarity_and_multi_valued_dates_are_paired_one_to_one(score):
    text = """
types:
  Trip:
    case: true
    attributes:
      place: {domain: string, cardinality: many, similarity: words, at_least: 0.3}
      day: {domain: date, cardinality: many, nominal_distance: 10}
"""
    found = score(
        [{"type": "Trip", "uid": "1", "place": ["town bridge", "old bridge"], "day": [10, 20]}],
        [{"type": "Trip", "uid": "2", "place": ["the town bridge"], "day": [12, 18]}],
        text,
    ).types["Trip"]
    # Places 2/3 (town bridge); days 10-12 and 20-18 at 0.8 each: 2/3 + 1.6 of 4 and of 3.
    assert found.counts.recall == pytest.approx((2 / 3 + 1.6) / 4)
    assert found.counts.precision == pytest.approx((2 / 3 + 1.6) / 3)


def test_objects_that_are_no_cases_compare_by_content_without_a_pairing_of_their_own(score):
    text = """
types:
  Attack: {case: true, attributes: {place: {domain: Place, weight: 2}, kind: {domain: string}}}
  Place: {attributes: {town: {domain: string}, street: {domain: string}}}
"""
    found = score(
        [{"type": "Attack", "uid": "1", "place": {"town": "Ulm", "street": "High"}, "kind": "bomb"}],
        [{"type": "Attack", "uid": "2", "place": {"town": "Ulm", "street": "Low"}, "kind": "bomb"}],
        text,
    )
    assert list(found.types) == ["Attack"]
    assert found.types["Attack"].counts.f == pytest.approx((2 * 0.5 + 1) / 3)


def test_an_open_type_may_be_named_without_being_described(score):
    text = """
types:
  Attack: {case: true, attributes: {group: {domain: Group, weight: 1}}}
  Group: {case: true, open: true, attributes: {member: {domain: string, cardinality: many}}}
"""
    found = score(
        [{"type": "Group", "uid": "G", "member": ["a"]}, {"type": "Attack", "uid": "1", "group": "G"}],
        [{"type": "Attack", "uid": "2", "group": "G"}],
        text,
    )
    assert found.types["Attack"].counts.f == pytest.approx(1.0)
    assert found.types["Group"].hypotheses == 0
    assert found.types["Group"].counts.recall == 0.0


def test_a_threshold_of_zero_given_in_the_call_overrides_that_of_the_specification(score):
    text = """
types:
  Attack:
    case: true
    threshold: 0.9
    attributes:
      target: {domain: string, weight: 5}
      date: {domain: date, weight: 2, nominal_distance: 10}
  Group: {case: true}
"""
    reference = [{"type": "Attack", "uid": "r", "target": "bridge", "date": 10}]
    hypothesis = [{"type": "Attack", "uid": "h", "target": "bridge", "date": 90}]
    assert len(score(reference, hypothesis, text=text).types["Attack"].pairs) == 0
    assert len(score(reference, hypothesis, text=text, threshold=0.0).types["Attack"].pairs) == 1
    assert len(score(reference, hypothesis, text=text, threshold={"Attack": 0.0}).types["Attack"].pairs) == 1
    assert len(score(reference, hypothesis, text=text, threshold={"Group": 0.0}).types["Attack"].pairs) == 0


def test_two_empty_sides_are_said_to_be_empty(score):
    found = score([], []).types["Attack"]
    assert isnan(found.counts.recall)
    assert found.notes == ["Neither references nor hypotheses of Attack: nothing can be said."]


def test_the_order_of_lines_changes_nothing_and_ties_below_are_said(score):
    # Y is as good a partner for G1 as X is, so the attack's credit for its group depends on which of them is taken.
    reference = [
        {"type": "Group", "uid": "G1", "member": ["ann", "bob"]},
        {"type": "Group", "uid": "G2", "member": ["ann", "bob"]},
        {"type": "Attack", "uid": "R1", "group": "G1", "target": "bridge"},
    ]
    hypotheses = [
        {"type": "Group", "uid": "X", "member": ["ann", "eve"]},
        {"type": "Group", "uid": "Y", "member": ["bob", "fay"]},
        {"type": "Attack", "uid": "H1", "group": "X", "target": "bridge"},
    ]
    found = [
        score(list(mine), list(theirs)).types["Attack"]
        for mine in permutations(reference)
        for theirs in permutations(hypotheses)
    ]
    assert len({each.counts.f for each in found}) == 1
    assert not found[0].pairing.unique


def test_a_file_against_itself_is_perfect_though_two_modes_are_equal(score):
    text = """
types:
  Group: {case: true, attributes: {uses: {domain: Mode, cardinality: many}}}
  Mode: {compare: strict, attributes: {needs: {domain: string, cardinality: many}}}
"""
    same = [
        {"type": "Mode", "uid": "M1", "needs": ["boat", "rope"]},
        {"type": "Mode", "uid": "M2", "needs": ["rope", "boat"]},
        {"type": "Group", "uid": "G", "uses": ["M1", "M2"]},
    ]
    found = score(same, same, text).types["Group"].counts
    assert (found.precision, found.recall, found.f) == (1, 1, 1)


def test_pairs_by_force_that_disagree_are_said(score):
    def numbered(targets):
        return [{"type": "Attack", "uid": n, "target": target} for n, target in enumerate(targets, 1)]

    reference, hypotheses = numbered(["bridge", "tower", "port"]), numbered(["port", "bridge", "tower"])
    found = score(reference, hypotheses).types["Attack"]
    assert found.counts.f == 0
    assert "3 of 3 pairs made by force" in " ".join(found.notes)
    assert "--free-uids" in " ".join(found.notes)
    free = score(reference, hypotheses, force=False).types["Attack"]
    assert free.counts.f == 1
    assert "force" not in " ".join(free.notes)
