"""What content, earlier answers or the author's reason explain is no fault."""

import pytest

from mensura.dialogue import Ask, Choice, Number, Probability, Text, test
from mensura.running.check import CheckOptions, check_test
from mensura.running.checks.leak.telling import check_nothing_tells
from mensura.running.checks.leak.truth import check_truth_hidden
from tests.running.checks.examined import full_trial_of
from tests.running.checks.honest import shuffled
from tests.running.checks.leak.honest_tests import NOUNS, YES_NO
from tests.running.checks.leak.leaking_tests import full_stop


def told_afterwards(rng):
    """Tell after each ask what was right; what is right changes seldom."""
    state = "up"
    for i in range(20):
        state = {"up": "down", "down": "up"}[state] if rng.random() < 0.1 else state
        yield Ask(
            f"Day {i}, seen by {rng.choice(NOUNS)}. Up or down?", Choice(("up", "down")), key=f"q{i}", truth=state
        )
        yield Ask(f"It went {state}, says the {rng.choice(NOUNS)}.")


def two_questions_in_turn(rng):
    """Ask in turn about two things that seldom change."""
    door, window = (bool(rng.integers(2)) for _ in range(2))
    for i in range(10):
        door, window = door ^ (rng.random() < 0.02), window ^ (rng.random() < 0.02)
        yield Ask("Is the door open?", YES_NO, key=f"door{i}", truth="yes" if door else "no")
        yield Ask("Is the window open?", YES_NO, key=f"window{i}", truth="yes" if window else "no")


def none_of_these(rng):
    """Offer numbers, and a longer option that is never right."""
    for i in range(20):
        a, b, off = (int(part) for part in rng.integers(12, 50, 3))
        three = shuffled(rng, [str(a * b), str(a * b + off), str(a * b + 2 * off + 7)])
        right = three[int(rng.integers(3))]
        yield Ask(f"Box {a * b}, {off}?", Choice((*three, "none of these")), key=f"q{i}", truth=right)


def with_commas(rng):
    """Offer numbers of which the larger has a comma more often."""
    for i in range(20):
        pair = [int(part) for part in rng.choice(3000, 2, replace=False)]
        yield Ask("Which is larger?", Choice([f"{one:,}" for one in pair]), key=f"q{i}", truth=f"{max(pair):,}")


def rounded(rng):
    """Offer rounded numbers of which the larger has fewer decimals."""
    for i in range(20):
        pair = [f"{one:.3g}" for one in 10 ** rng.uniform(0, 2.9, 2)]
        if float(pair[0]) != float(pair[1]):
            yield Ask("Which is larger?", Choice(pair), key=f"q{i}", truth=max(pair, key=float))


def names_of_countries(rng):
    """Begin with a name, which has a capital, or with a fruit, which has none."""
    countries, fruits = (
        ("Peru", "Chile", "Ghana", "Kenya", "Nepal", "Spain"),
        ("apple", "grape", "melon", "peach", "plum", "fig"),
    )
    for i in range(20):
        right = rng.random() < 0.5
        word = str(rng.choice(countries if right else fruits))
        yield Ask(
            f"{word}, asks {rng.choice(NOUNS)}: is it a country?", YES_NO, key=f"q{i}", truth="yes" if right else "no"
        )


def bounds_of_a_grid(rng):
    """Bound a count by the size of the grid."""
    for i in range(20):
        rows, columns = (int(part) for part in rng.integers(3, 9, 2))
        count = int(rng.integers(rows * columns + 1))
        space = Number(0, rows * columns, integer=True)
        yield Ask(f"A garden of {rows} by {columns} fields. How many are green?", space, key=f"q{i}", truth=count)


def optional_clause(rng):
    """Leave a space at the beginning where a clause is missing, which makes rain likelier."""
    for i in range(20):
        dark = rng.random() < 0.5
        clause = "Clouds are dark." if dark else ""
        truth = int(rng.random() < (0.7 if dark else 0.3))
        yield Ask(f"{clause} Wind of {int(rng.integers(99))}. Rain?", Probability(), key=f"q{i}", truth=truth)


def span(rng):
    """Leave room for as many digits as were shown."""
    for i in range(20):
        digits = "".join(map(str, rng.integers(10, size=3 + i // 4 + int(rng.integers(3)))))
        yield Ask(digits)
        yield Ask("Type the digits backwards.", Text(longest=len(digits)), key=f"q{i}", truth=digits[::-1])


@pytest.mark.parametrize(
    "honest",
    [told_afterwards, two_questions_in_turn, none_of_these, with_commas, rounded, names_of_countries, bounds_of_a_grid,
     optional_clause, span],
)  # fmt: skip
def test_what_content_explains_is_no_fault(honest):
    found = check_nothing_tells(full_trial_of(honest))
    assert found.passed, found


def test_a_reason_excuses_punctuation_where_the_test_is_about_it():
    assert check_nothing_tells(full_trial_of(full_stop)).passed is False
    assert check_nothing_tells(full_trial_of(full_stop, shows_truth="Is the sentence complete?")).passed


def test_what_is_shown_among_others_is_a_remark():
    def smallest(rng):
        for i in range(20):
            numbers = [int(part) for part in rng.integers(100, 999, 4)]
            yield Ask(f"Which is smallest: {numbers}?", Number(), key=f"q{i}", truth=min(numbers))

    found = check_truth_hidden(full_trial_of(smallest))
    assert found.passed
    assert "the prompt holds the truth" in str(found)
    assert "explain" in str(found)


def sorting(rng):
    """Ask for numbers in order, which one list in 120 has already."""
    for i in range(20):
        numbers = [int(part) for part in rng.choice(range(100, 999), 5, replace=False)]
        truth = ", ".join(map(str, sorted(numbers)))
        yield Ask(f"Sort: {', '.join(map(str, numbers))}", Text(longest=60), key=f"q{i}", truth=truth)


def test_a_truth_that_happens_to_stand_in_few_prompts_is_a_remark():
    found = check_truth_hidden(full_trial_of(sorting))
    assert found.passed, found
    assert "too seldom to help anyone" in str(found)


def test_a_truth_that_stands_in_one_prompt_of_ten_is_a_fault():
    def careless(rng):
        for i in range(20):
            truth = f"{rng.choice(NOUNS)} {rng.choice(NOUNS)} {rng.choice(NOUNS)}"
            hint = f" It is {truth}." if rng.random() < 0.1 else ""
            yield Ask(f"What does box {i} say?{hint}", Text(longest=60), key=f"q{i}", truth=truth)

    assert check_truth_hidden(full_trial_of(careless)).passed is False


def test_reports_keep_remarks_as_data():
    report = check_test(test("sorting-v1")(sorting), options=CheckOptions(sessions=30)).data()
    assert report["passed"]
    (remark,) = next(check["remarks"] for check in report["checks"] if check["check"] == "truth hidden")
    assert "too seldom to help anyone" in remark
