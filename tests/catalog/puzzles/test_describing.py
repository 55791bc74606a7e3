"""The published grammar: what it says an operation needs is what the proofs take it to need."""

from math import log2
from pathlib import Path

import pytest

from mensura.catalog.puzzles.cards.size import measure
from mensura.catalog.puzzles.describing import describe_kind, said_values
from mensura.catalog.puzzles.kinds.find import PLACES, find_kind, kinds_at_hand
from mensura.catalog.puzzles.kinds.series.family import FAMILIES, fitting
from mensura.catalog.puzzles.kinds.series.program import GRAMMAR as NUMBERS
from mensura.catalog.puzzles.subjects import solver_class

PAGE = (Path(__file__).parents[3] / "docs" / "puzzles.md").read_text()
TERMS = {
    "same": [4, 4, 4],
    "add": [4, 7, 10],
    "add-growing": [4, 6, 9],
    "multiply": [4, 8, 16],
    "divide": [36, 18, 9],
    "multiply-add": [4, 9, 19],
    "power": [4, 9, 16],
    "sum-of-two": [4, 5, 9],
    "difference-of-two": [4, 9, 5],
    "product-of-two": [4, 5, 20],
    "multiply-growing": [4, 8, 24],
    "prime": [5, 7, 11],
}


def operations_of(kind, shown):
    return {step.operation for one in find_kind(kind).explain(shown, limit=60).found for step in one.derivation.steps}


@pytest.mark.parametrize("name", FAMILIES)
def test_a_rule_for_numbers_says_nothing_of_fewer_terms_than_it_needs(name):
    needs = NUMBERS.uses[name].needs
    assert name in {one[0] for one in fitting(TERMS[name][:needs])}
    if needs > 2:
        assert name not in {one[0] for one in fitting(TERMS[name][:2])}


def test_what_letters_add_grows_only_where_three_are_seen():
    needs = find_kind("letter-series").grammar.uses["add-growing"].needs
    assert needs == 3
    letters = [0, 1, 3, 6]
    assert "add-growing" in operations_of("letter-series", letters[:needs])
    assert "add-growing" not in operations_of("letter-series", letters[: needs - 1])


@pytest.mark.parametrize("name", PLACES)
def test_every_derivation_can_be_written_with_the_published_constants_and_lengths(name):
    kind = find_kind(name)
    described = describe_kind(kind)
    assert len(described["combines"]) > 60
    for operation, use in described["operations"].items():
        assert all(isinstance(values, list) and values for values in use["constants"])
        assert kind.grammar.step(operation, *(values[0] for values in use["constants"]), on=described["targets"][0])
        assert use["needs"] >= 1


@pytest.mark.parametrize("name", PLACES)
def test_the_page_says_what_the_command_says(name):
    kind = find_kind(name)
    assert kind.combines in PAGE
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {name} | "))
    for operation, use in kind.grammar.uses.items():
        constants = "".join(f" {{{said_values(domain)}}}" for domain in use.domains)
        assert f"`{operation}`{constants} {use.needs}" in row


def test_the_page_says_how_large_solvers_are():
    series, synthesis, raven = (measure(solver_class(name)).lines for name in ("series", "synthesis", "raven"))
    told = " ".join(PAGE.split())
    assert f"`series` has {series} lines" in told
    assert f"explain their puzzles, {synthesis // 1000} {synthesis % 1000:03}." in told
    assert f"{raven} lines solve all of 60 digit matrices" in told


@pytest.mark.parametrize("name", kinds_at_hand())
def test_the_bits_of_an_operation_follow_from_what_is_described(name):
    """By the formula of the page; features of figures are counted as a whole, and `combines` says so."""
    described = describe_kind(find_kind(name))
    many, targets = len(described["operations"]), len(described["targets"])
    features = {len(one["constants"][0]) for one in described["operations"].values() if "log2" in described["combines"]}
    for operation, one in described["operations"].items():
        if features:
            expected = log2(max(features) * (3 if len(one["constants"][0]) == max(features) else 1))
            assert f"log2({max(features)})" in described["combines"]
        else:
            expected = log2(many * targets) + sum(log2(len(values)) for values in one["constants"])
        assert one["bits"] == pytest.approx(expected, abs=1e-3), operation
