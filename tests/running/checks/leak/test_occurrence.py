"""Truths that stand in what is shown are caught, and those that stand there by accident or rightly are not."""

import pytest

from mensura.dialogue import Ask, Break, Choice, Number, Text
from mensura.running.checks.leak.truth import check_truth_hidden
from tests.running.checks.examined import full_trial_of
from tests.running.checks.honest import WORDS


def words(rng):
    """Four words, and which of them is right."""
    four = rng.choice(WORDS, 4, replace=False).tolist()
    return four, four[int(rng.integers(4))]


def whispered_once(rng):
    yield Ask("psst: zebra", Text(), key="q", truth="zebra")


def whispered_choice(rng):
    yield Ask("psst: zebra", Choice(("zebra", "horse")), key="q", truth="zebra")


def whispered(rng):
    for i in range(5):
        four, right = words(rng)
        yield Ask(f"Which one? psst: {right}", Choice(four), key=f"q{i}", truth=right)


def inside_a_word(rng):
    for i in range(5):
        four, right = words(rng)
        yield Ask(f"Which one? x{right.upper()}x", Choice(four), key=f"q{i}", truth=right)


def whispered_at_times(rng):
    for i in range(5):
        four, right = words(rng)
        hint = f" psst: {right}" if rng.random() < 0.3 else ""
        yield Ask(f"Which one?{hint}", Choice(four), key=f"q{i}", truth=right)


def told_before(rng):
    for i in range(5):
        word = str(rng.choice(WORDS))
        yield Ask(f"Remember the {word} well.")
        yield Ask("What was it?", Text(), key=f"q{i}", truth=word)


def number_in_data(rng):
    for i in range(5):
        number = int(rng.integers(1000, 9999))
        yield Ask(f"Case id{number}. How many?", Number(), key=f"q{i}", truth=number)


def rounded_number(rng):
    for i in range(5):
        number = float(rng.random())
        yield Ask(f"About {number:.3f} is near it.", Number(), key=f"q{i}", truth=number)


def in_the_key(rng):
    for i in range(5):
        word = str(rng.choice(WORDS))
        yield Ask("Which one?", Choice(WORDS), key=f"q{i}of{word}s", truth=word)


def letter_in_the_key(rng):
    right = "abc"[int(rng.integers(3))]
    yield Ask("Which one?", Choice(("a", "b", "c")), key=f"only-{right}", truth=right)


def bound_of_the_space(rng):
    for i in range(5):
        number = int(rng.integers(1000, 9999))
        yield Ask("How many?", Number(low=0, high=number), key=f"q{i}", truth=number)


def in_part(rng):
    for i in range(5):
        parts = {"who": str(rng.choice(WORDS)), "many": int(rng.integers(1000, 9999))}
        yield Ask(f"Not a {parts['who']} with {parts['many']}?", Text(), key=f"q{i}", truth=parts)


def said_in_a_break(rng):
    for i in range(3):
        word = str(rng.choice(WORDS))
        yield Break(f"Rest; the {word} comes next.")
        yield Ask("Which one?", Text(), key=f"q{i}", truth=word)


def with_thousands(rng, *, separator: str = ","):
    for i in range(3):
        number = int(rng.integers(10_000, 99_999))
        yield Ask(f"Is it {f'{number:,}'.replace(',', separator)}?", Number(), key=f"q{i}", truth=number)


def with_spaces(rng):
    yield from with_thousands(rng, separator=" ")


def in_percent(rng):
    for i in range(3):
        share = round(float(rng.random()), 3)
        yield Ask(f"Is it {share:.1%}?", Number(), key=f"q{i}", truth=share)


def with_an_exponent(rng):
    for i in range(3):
        number = int(rng.integers(1000, 9999))
        yield Ask(f"Is it {number:.3e}?", Number(), key=f"q{i}", truth=number)


def with_unseen_letters(rng):
    for i in range(3):
        word = str(rng.choice(WORDS))
        yield Ask(f"Which one? {chr(0x200B).join(word)}", Text(), key=f"q{i}", truth=word)


def with_loose_accents(rng):
    for i in range(3):
        word = str(rng.choice(WORDS))
        yield Ask(f"Which one? e{chr(0x301)}{word}", Text(), key=f"q{i}", truth=f"é{word}")


class Labelled(str):
    """A text that has attributes."""


def behind_a_text(rng):
    for i in range(3):
        four, right = words(rng)
        prompt = Labelled("Which one?")
        prompt.world = {"deep": [right]}
        yield Ask(prompt, Choice(four), key=f"q{i}", truth=right)


@pytest.mark.parametrize(
    ("leak", "where"),
    [
        (said_in_a_break, "what is told before"),
        (with_thousands, "the prompt"),
        (with_spaces, "the prompt"),
        (in_percent, "the prompt"),
        (with_an_exponent, "the prompt"),
        (with_unseen_letters, "the prompt"),
        (with_loose_accents, "the prompt"),
        (behind_a_text, "what lies behind the ask"),
        (whispered_once, "the prompt"),
        (whispered_choice, "the prompt"),
        (whispered, "the prompt"),
        (inside_a_word, "the prompt"),
        (whispered_at_times, "the prompt"),
        (told_before, "what is told before"),
        (number_in_data, "the prompt"),
        (rounded_number, "the prompt"),
        (in_the_key, "the key"),
        (letter_in_the_key, "the key"),
        (bound_of_the_space, "the space"),
        (in_part, "the prompt"),
    ],
)
def test_truths_that_stand_somewhere_are_caught(leak, where):
    found = check_truth_hidden(full_trial_of(leak))
    assert found.passed is False, found
    assert where in found.words, found.words


def test_a_test_that_shows_its_truths_rightly_says_why():
    why = "A word is shown and asked for later."
    assert 'shows_truth="why"' in check_truth_hidden(full_trial_of(told_before)).words
    found = check_truth_hidden(full_trial_of(told_before, shows_truth=why))
    assert found.passed, found
    assert why in found.words
    for leak in (in_the_key, bound_of_the_space):
        assert check_truth_hidden(full_trial_of(leak, shows_truth=why)).passed is False


def all_named(rng):
    for i in range(5):
        four, right = words(rng)
        yield Ask(f"Which of {', '.join(sorted(four))}?", Choice(four), key=f"q{i}", truth=right)


def in_every_prompt(rng):
    for i in range(8):
        truth = "no" if rng.random() < 0.9 else "yes"
        yield Ask("There is no such thing as a silly question. Is it so?", Choice(("yes", "no")), f"q{i}", truth=truth)


def long_story(rng):
    story = " ".join(f"{word} and its {word}s went on" for word in WORDS * 20)
    yield Ask(f"{story}. Who won?", Text(), key="q", truth="zebra")


def means(rng):
    for i in range(6):
        four = [int(number) for number in rng.integers(100, 130, 4)]
        yield Ask(f"What is the mean of {four}?", Number(), key=f"q{i}", truth=sum(four) / 4)


def interest(rng):
    for i in range(6):
        capital, rate = int(rng.integers(100, 1000)), int(rng.integers(1, 9)) / 10
        truth = round(capital * (1 + rate / 1000), 3)
        yield Ask(f"What do {capital} become at {rate} permille?", Number(), key=f"q{i}", truth=truth)


@pytest.mark.parametrize("honest", [all_named, in_every_prompt, long_story, means, interest])
def test_truths_that_any_ask_would_hold_are_no_finding(honest):
    found = check_truth_hidden(full_trial_of(honest))
    assert found.passed, found
