"""Figures of Schrag and Takikawa (2006), Scoring hypotheses from threat detection technologies, AAAI Fall Symposium."""

import numpy as np
import pytest

from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.specification import Attribute, CaseType, Specification
from mensura.catalog.detection.hypotheses.specification_file import read_specification
from mensura.catalog.detection.hypotheses.things import parse_things
from mensura.scores.matching.assignment.solving import Candidates, greedy, optimal, unique

REFERENCES = {
    "1": ("Dan's devils", "Home offices", "Truck bomb"),
    "2": ("Humbug", "Town bridge", "HazMat spill"),
    "3": ("Grousers", "Play stadium", "Bio aerosol"),
}
HYPOTHESES = {
    "A": ("Fred's friends", "Home offices", None),
    "B": ("Grousers", "Town bridge", "Truck bomb"),
    "C": ("Dan's devils", "Home offices", "Bio aerosol"),
}
FIGURE_12 = np.array(
    [
        [0.23, 0.04, 0.09, 0.96, 0.95, 0.27, 0.60, 0.12, 0.22, 0.69],
        [0.30, 0.68, 0.12, 0.26, 0.62, 0.11, 0.37, 0.77, 0.88, 0.57],
        [0.95, 0.96, 0.25, 0.12, 0.63, 0.50, 0.56, 0.27, 0.94, 0.89],
        [0.85, 0.81, 1.00, 0.47, 0.20, 0.56, 0.37, 0.99, 0.45, 0.80],
        [0.62, 0.40, 0.45, 0.65, 0.16, 0.62, 1.00, 0.02, 0.22, 0.06],
        [0.53, 0.49, 0.19, 0.04, 0.53, 0.69, 0.57, 0.78, 0.95, 0.12],
        [0.63, 0.92, 0.02, 0.50, 0.02, 0.03, 0.89, 0.25, 0.95, 0.73],
        [0.61, 0.04, 0.30, 0.12, 0.58, 0.05, 0.76, 0.48, 0.91, 0.33],
        [0.21, 0.38, 0.97, 0.46, 0.95, 0.34, 0.92, 0.35, 0.32, 0.17],
        [0.16, 0.91, 0.40, 0.48, 0.51, 0.11, 0.61, 0.24, 0.30, 0.59],
    ]
)


def attacks(rows, specification):
    names = ("group", "target", "mode")
    records = [{"type": "Attack", "uid": uid, **dict(zip(names, values, strict=True))} for uid, values in rows.items()]
    return parse_things(enumerate(records, 1), specification=specification)


def specification(*weights):
    names = ("group", "target", "mode")
    attributes = {name: Attribute(name, "string", weight) for name, weight in zip(names, weights, strict=True)}
    return Specification("figures", {"Attack": CaseType("Attack", case=True, attributes=attributes)})


def score(references, hypotheses, *weights):
    spec = specification(*weights)
    found = score_hypotheses(spec, reference=attacks(references, spec), hypotheses=attacks(hypotheses, spec))
    return found.types["Attack"]


def test_figure_9_scores_one_pair_of_attacks_without_weights():
    found = score({"1": REFERENCES["1"]}, {"A": HYPOTHESES["A"]}, 1, 1, 1)
    assert found.counts.precision == pytest.approx(1 / 2)
    assert found.counts.recall == pytest.approx(1 / 3)
    assert found.counts.f == pytest.approx(2 / 5)


def test_figure_14_scores_the_same_pair_with_weights_3_5_4():
    found = score({"1": REFERENCES["1"]}, {"A": HYPOTHESES["A"]}, 3, 5, 4)
    compiled = found.pairing.likeness.sides
    assert compiled.reference.basis.tolist() == [12]
    assert compiled.hypothesis.basis.tolist() == [8]
    assert found.counts.recall * 12 == pytest.approx(5)
    assert found.counts.precision * 8 == pytest.approx(5)
    assert found.counts.recall == pytest.approx(5 / 12)
    assert found.counts.precision == pytest.approx(5 / 8)
    assert found.counts.f == pytest.approx(1 / 2)


def test_figure_10_links_the_cases_that_share_a_value_and_no_others():
    spec = specification(1, 1, 1)
    found = score_hypotheses(spec, reference=attacks(REFERENCES, spec), hypotheses=attacks(HYPOTHESES, spec))
    entries = found.types["Attack"].pairing.shortlist.candidates.sparse()
    rows = np.repeat(np.arange(3), np.diff(entries.start))
    links = {("ABC"[j], "123"[i]) for i, j in zip(rows, entries.columns, strict=True)}
    assert links == {("A", "1"), ("B", "1"), ("B", "2"), ("B", "3"), ("C", "1"), ("C", "3")}


def matrices():
    """Precision, recall and F of Figure 11: rows are hypotheses A, B, C and columns references 1, 2, 3."""
    spec = specification(1, 1, 1)
    found = score_hypotheses(spec, reference=attacks(REFERENCES, spec), hypotheses=attacks(HYPOTHESES, spec))
    rows, columns = (each.ravel() for each in np.meshgrid(np.arange(3), np.arange(3), indexing="ij"))
    pairs = found.types["Attack"].pairing.likeness.pairs(columns, rows)
    return (each.reshape(3, 3) for each in (pairs.precision, pairs.recall, pairs.f))


def test_figure_11_matrices_agree_except_for_the_misprinted_cell():
    printed_precision = [[0.50, 0.00, 0.00], [0.33, 0.33, 0.33], [0.33, 0.00, 0.33]]
    printed_recall = [[0.33, 0.00, 0.00], [0.33, 0.33, 0.33], [0.67, 0.00, 0.33]]
    printed_f = [[0.40, 0.00, 0.00], [0.33, 0.33, 0.33], [0.44, 0.00, 0.33]]
    for computed, printed in zip(matrices(), (printed_precision, printed_recall, printed_f), strict=True):
        same = np.abs(computed - np.array(printed)) < 0.005
        assert np.all(np.delete(same.ravel(), 6))


def test_figure_11_hypothesis_c_shares_group_and_target_with_reference_1_so_all_three_are_two_thirds():
    # Printed as precision .33, recall .67, F .44; Figure 10 shows two of three values shared on both sides.
    assert [float(matrix[2, 0]) for matrix in matrices()] == pytest.approx([2 / 3, 2 / 3, 2 / 3])


def test_figure_11_pairs_are_a1_b2_c3_and_no_other_pairing_is_as_good():
    found = score(REFERENCES, HYPOTHESES, 1, 1, 1)
    pairs = [(pair["hypothesis"], pair["reference"]) for pair in found.as_json()["pairs"]]
    assert pairs == [("A", "1"), ("B", "2"), ("C", "3")]
    assert found.pairing.unique
    assert found.pairs.f.sum() == pytest.approx(16 / 15)
    assert found.mean_pair_f == pytest.approx(16 / 45)
    assert found.counts.precision == pytest.approx(7 / 18)
    assert found.counts.recall == pytest.approx(1 / 3)


def test_figure_11_second_best_pairing_sums_to_one():
    *_, f = matrices()
    from itertools import permutations

    sums = sorted((sum(f[i, j] for i, j in enumerate(order)) for order in permutations(range(3))), reverse=True)
    assert sums[:2] == pytest.approx([16 / 15, 1.0])


def test_figure_12_has_one_optimum_with_mean_f_of_0_887_not_the_printed_0_834():
    candidates = Candidates.full(FIGURE_12)
    best = optimal(candidates)
    assert [column + 1 for column in best.partner] == [4, 8, 1, 3, 7, 6, 10, 9, 5, 2]
    assert best.total / 10 == pytest.approx(0.887)
    assert unique(candidates, best)


def test_figure_12_greedy_choice_reaches_only_0_804():
    assert greedy(Candidates.full(FIGURE_12)).total / 10 == pytest.approx(0.804)


def test_figure_12_at_threshold_0_75_leaves_25_candidates_and_8_pairs_so_all_counts_are_0_8():
    admitted = np.where(FIGURE_12 >= 0.75, FIGURE_12, 0)
    candidates = Candidates.full(admitted)
    best = optimal(candidates)
    assert candidates.count == 25
    assert np.sum(best.partner >= 0) == 8
    assert best.total == pytest.approx(7.50)
    assert not unique(candidates, best)
    assert np.sum(best.partner >= 0) / 10 == 0.8


def test_figure_12_dropping_low_pairs_of_the_first_pairing_leaves_8_with_a_smaller_sum():
    best = optimal(Candidates.full(FIGURE_12))
    kept = [FIGURE_12[row, column] for row, column in enumerate(best.partner) if FIGURE_12[row, column] >= 0.75]
    assert len(kept) == 8
    assert sum(kept) == pytest.approx(7.45)


def test_figure_12_greedy_choice_at_threshold_0_75_finds_7_pairs():
    found = greedy(Candidates.full(np.where(FIGURE_12 >= 0.75, FIGURE_12, 0)))
    assert np.sum(found.partner >= 0) == 7
    assert found.total == pytest.approx(6.59)


def test_table_1_weights_and_cardinalities_are_those_of_the_shipped_specification():
    types = read_specification("counter-terrorism").types
    attack = {
        name: (attribute.domain, attribute.weight, attribute.many)
        for name, attribute in types["VulnerabilityExploitationCase"].attributes.items()
    }
    assert attack == {
        "startingDate": ("date", 1, False),
        "endingDate": ("date", 2, False),
        "minAssetApplicationEndingDate": ("date", 2, False),
        "maxAssetApplicationEndingDate": ("date", 2, False),
        "performedBy": ("ThreatGroup", 3, False),
        "directingAgent": ("ThreatIndividualEC", 2, False),
        "deliberateActors": ("ThreatIndividualEC", 1, True),
        "targetInExploitation": ("ExploitationTarget", 5, False),
        "modeInExploitation": ("VulnerabilityMode", 4, False),
    }
    group = {name: (each.weight, each.many) for name, each in types["ThreatGroup"].attributes.items()}
    assert group == {"exploitsVulnerabilities": (1, True), "memberAgents": (1, True)}
    assert types["ThreatIndividualEC"].attributes["hasMember"].weight == 1
    assert types["VulnerabilityMode"].compare == "strict"


def test_single_values_of_table_1_pair_straight_and_several_by_the_global_pairing():
    """ "Single-valued attributes pair straightforwardly and multi-valued attributes require a one-to-one pairing"."""
    specification = read_specification("counter-terrorism")
    groups = [
        {"type": "ThreatGroup", "uid": "G", "memberAgents": ["a", "b", "f"]},
        {"type": "ThreatGroup", "uid": "O", "memberAgents": ["c", "d"]},
        {"type": "VulnerabilityExploitationCase", "uid": "R", "targetInExploitation": "t", "performedBy": "G"},
    ]
    # X is all of G and takes it in the global pairing; the attack names Y, which has one of its three members.
    answers = [
        {"type": "ThreatGroup", "uid": "X", "memberAgents": ["a", "b", "f"]},
        {"type": "ThreatGroup", "uid": "Y", "memberAgents": ["a", "e"]},
        {"type": "VulnerabilityExploitationCase", "uid": "H", "targetInExploitation": "t", "performedBy": "Y"},
    ]
    sides = [parse_things(enumerate(side, 1), specification=specification, source="") for side in (groups, answers)]
    found = score_hypotheses(specification, reference=sides[0], hypotheses=sides[1])
    attack = found.types["VulnerabilityExploitationCase"].counts
    assert (attack.recall, attack.precision) == pytest.approx(((5 + 3 / 3) / 8, (5 + 3 / 2) / 8))
    attributes = specification.types["VulnerabilityExploitationCase"].attributes
    assert {name for name, each in attributes.items() if each.pairing == "local"} == {"performedBy", "directingAgent"}


def test_figure_5_types_are_scored_from_the_leaves_up():
    order = list(read_specification("counter-terrorism").types)
    assert order.index("VulnerabilityMode") < order.index("ThreatGroup") < order.index("VulnerabilityExploitationCase")
    assert order.index("ThreatIndividualEC") < order.index("ThreatGroup")
