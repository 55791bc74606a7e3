"""Letters: options by letter, and distributions from log-probabilities of letters."""

from math import exp, inf, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.dialogue import Distribution
from mensura.errors import BadParameter, Invalid
from mensura.subjects.model.letters import LEAST, lettered, letters_of, read_letters

OPTIONS = ("Rome", "Paris", "Bonn", "Oslo")


def test_tokens_of_one_letter_are_added():
    tokens = {"A": 0.3, " A": 0.2, "a": 0.1, "(B": 0.1, "\u2581C": 0.2, "D.": 0.1}
    read = read_letters([(token, log(p)) for token, p in tokens.items()], options=OPTIONS)
    assert read.distribution == pytest.approx({"Rome": 0.6, "Paris": 0.1, "Bonn": 0.2, "Oslo": 0.1})
    assert (read.unlisted, read.listed, read.missing) == ((), pytest.approx(1), pytest.approx(0))
    assert read.words == "Read from log-probabilities of letters: 1 of the probability was on letters."


def test_other_tokens_do_not_count_and_the_rest_is_scaled():
    read = read_letters({"A": log(0.3), "B": log(0.1), "The": log(0.6)}, options=OPTIONS[:2])
    assert read.distribution == pytest.approx({"Rome": 0.75, "Paris": 0.25})
    assert read.listed == pytest.approx(0.4)


def test_what_is_not_listed_shares_what_is_missing_but_no_more_than_the_least_that_is():
    # 0.1 is missing for two options: 0.05 each, for the least token listed has 0.2.
    read = read_letters({"A": log(0.7), "B": log(0.2)}, options=OPTIONS)
    assert read.distribution == pytest.approx({"Rome": 0.7, "Paris": 0.2, "Bonn": 0.05, "Oslo": 0.05})
    assert read.words.endswith("Bonn, Oslo not listed, given a share of the 0.1 that was not.")
    # 0.48 is missing for one option, which can have no more than the 0.02 of the least token.
    read = read_letters({"A": log(0.5), "x": log(0.02)}, options=OPTIONS[:2])
    assert read.distribution["Paris"] == pytest.approx(0.02 / 0.52)


def test_an_option_is_never_impossible():
    for least in (-9999.0, -inf):
        read = read_letters({"A": 0.0, "B": least}, options=OPTIONS)
        assert min(read.distribution.values()) == pytest.approx(LEAST, rel=1e-4)


def test_a_reply_without_any_letter_is_invalid():
    with pytest.raises(Invalid, match=r"No letter from A to D is among the tokens.*got 'The', ' I'"):
        read_letters({"The": log(0.9), " I": log(0.1)}, options=OPTIONS)
    with pytest.raises(Invalid, match="got none"):
        read_letters({}, options=OPTIONS)
    with pytest.raises(BadParameter, match="2 to 26 options; got 1"):
        read_letters({"A": 0.0}, options=["Rome"])


def test_letters_that_would_mislead_are_not_given():
    assert letters_of(["c", "d", "A"]) == {}
    assert letters_of(["A", "B"]) == {"A": "A", "B": "B"}
    assert letters_of([str(i) for i in range(27)]) == {}
    assert lettered(["B", "A"]) == "- B\n- A"


TOKENS = st.lists(
    st.tuples(st.sampled_from(["A", "b", " C", "D)", "(a", "E", "The", "", "\n"]), st.floats(-40, 0)), max_size=12
)


@given(TOKENS, st.integers(2, 5))
def test_whatever_is_listed_gives_a_distribution_or_says_why_not(tokens, count):
    options = tuple("vwxyz"[:count])
    try:
        read = read_letters(tokens, options=options)
    except Invalid:
        letters = {"A", "B", "C", "D", "E"} if count == 5 else set("ABCDE"[:count])
        assert not any(token.strip(" ()\n").upper() in letters and exp(p) > 0 for token, p in tokens)
        return
    assert Distribution(options).check(read.distribution) == pytest.approx(read.distribution)
    assert min(read.distribution.values()) > 0
    assert 0 <= read.missing <= 1
    assert 0 < read.listed <= 1


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_a_full_list_in_any_order_and_spelling_gives_the_distribution_itself(weights, random):
    shares = [weight / sum(weights) for weight in weights]
    spelt = [random.choice(["{}", " {}", "({})"]).format(letter) for letter in "ABCDEF"[: len(shares)]]
    tokens = [(token, log(p)) for token, p in zip(spelt, shares, strict=True)]
    random.shuffle(tokens)
    options = [f"option {number}" for number in range(len(shares))]
    assert list(read_letters(tokens, options=options).distribution.values()) == pytest.approx(shares)


@given(st.floats(0.02, 0.9), st.floats(0.02, 0.9))
def test_more_on_a_letter_is_never_less_for_its_option(one, other):
    low, high = sorted((one, other))
    found = [read_letters({"A": log(p), "z": log(0.01)}, options=OPTIONS).distribution["Rome"] for p in (low, high)]
    assert found[0] <= found[1] + 1e-12
