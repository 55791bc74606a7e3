"""Order, position, key, spaces and single words that tell the truth are caught."""

import pytest

from mensura.dialogue import Ask, Choice, Number, Probability, Text
from mensura.running.checks.leak.telling import check_nothing_tells
from tests.running.checks.examined import full_trial_of, saving
from tests.running.checks.honest import WORDS, shuffled


def options(rng, share):
    """Four words, the right one first in such a share of asks and anywhere else otherwise."""
    four = shuffled(rng, list(rng.choice(WORDS, 4, replace=False)))
    place = 0 if rng.random() < share else int(rng.integers(1, 4))
    return four, four[place]


def always_first(rng):
    for i in range(2):
        four, right = options(rng, 1.0)
        yield Ask("Which?", Choice(four), key=f"q{i}", truth=right)


def often_first(rng):
    for i in range(4):
        four, right = options(rng, 0.6)
        yield Ask("Which?", Choice(four), key=f"q{i}", truth=right)


def often_first_of_two(rng):
    for i in range(20):
        pair = shuffled(rng, ["left", "right"])
        yield Ask("Which?", Choice(pair), key=f"q{i}", truth=pair[int(rng.random() > 0.6)])


def once_a_session(rng):
    pair = shuffled(rng, ["left", "right"])
    yield Ask("Which?", Choice(pair), key="q", truth=pair[0])


def always_yes(rng):
    for i in range(15):
        yield Ask(f"Is {int(rng.integers(1000))} so?", Choice(("yes", "no")), key=f"q{i}", truth="yes")


def first_in_a_fixed_bank(rng):
    for i in range(12):
        right, *others = WORDS[i:] + WORDS[:i]
        yield Ask(f"Item {i}?", Choice((right, *sorted(others[:3]))), key=f"item{i}", truth=right)


def never_last(rng):
    for i in range(8):
        count = int(rng.integers(3, 6))
        some = shuffled(rng, list(rng.choice(WORDS, count, replace=False)))
        yield Ask("Which?", Choice(some), key=f"q{i}", truth=some[int(rng.integers(count - 1))])


def named_first(rng):
    for i in range(4):
        four = shuffled(rng, list(rng.choice(WORDS, 4, replace=False)))
        yield Ask(f"One of {', '.join(four)}?", Choice(shuffled(rng, list(four))), key=f"q{i}", truth=four[0])


def longest(rng):
    for i in range(4):
        numbers = [int(number) for number in rng.integers(100, 999, 4)]
        right = f"{numbers[0]}, as a rule"
        four = shuffled(rng, [right, *map(str, numbers[1:])])
        yield Ask(f"Which, {i}?", Choice(four), key=f"q{i}", truth=right)


def early(rng):
    for i in range(10):
        truth = int(rng.random() < (0.8 if i < 5 else 0.2))
        yield Ask(f"Picture {int(rng.integers(10**6))}.", Probability(), key=f"q{i}", truth=truth)


def wordy(rng):
    for i in range(6):
        truth = "yes" if rng.random() < 0.5 else "no"
        prompt = f"Picture {int(rng.integers(10**6, 10**7))}." + (" Look closely." if truth == "yes" else " Look.")
        yield Ask(prompt, Choice(("yes", "no")), key=f"q{i}", truth=truth)


def unseen(rng):
    for i in range(6):
        truth = int(rng.integers(30))
        yield Ask(f"Picture {int(rng.integers(10**6))}{chr(0x200B) * truth}.", Number(), key=f"q{i}", truth=truth)


def coded_key(rng):
    for i in range(6):
        truth = int(rng.random() < 0.5)
        yield Ask(f"Picture {int(rng.integers(10**6))}.", Probability(), key=f"q{i}{'kv'[truth]}", truth=truth)


def key_number(rng):
    for i in range(6):
        truth = float(rng.normal())
        yield Ask(f"Picture {i}.", Number(), key=f"q{i}-{round(5000 + 100 * truth)}", truth=truth)


def which_unseen(rng):
    for i in range(4):
        truth = int(rng.random() < 0.5)
        yield Ask(f"Picture {i}.{chr(0x200B + truth)}", Probability(), key=f"q{i}", truth=truth)


def place_in_the_key(rng):
    for i in range(4):
        four, right = options(rng, 0.25)
        yield Ask("Which?", Choice(four), key=f"q{i}{'abcd'[four.index(right)]}", truth=right)


def places_in_turn(rng):
    for i in range(8):
        four = shuffled(rng, list(rng.choice(WORDS, 4, replace=False)))
        yield Ask("Which?", Choice(four), key=f"q{i}", truth=four[i % 4])


def every_other(rng):
    for i in range(8):
        truth = int(rng.random() < (0.8 if i % 2 else 0.2))
        yield Ask("Does it rain?", Probability(), key=f"q{i}", truth=truth)


def rewarded(rng):
    for i in range(4):
        truth = int(rng.random() < 0.5)
        yield Ask("Does it rain?", Probability(), key=f"q{i}", truth=truth, reward=float(truth))


def more_time(rng, clock):
    for i in range(4):
        truth = int(rng.random() < 0.5)
        yield Ask("Does it rain?", Probability(), key=f"q{i}", truth=truth, until=clock.now + 5 + truth)


@pytest.mark.cells(10)
@pytest.mark.parametrize(
    ("leak", "words"),
    [
        (which_unseen, "which characters cannot be seen of the prompt goes with the truth"),
        (place_in_the_key, "the end of the key goes with the place of the right option (of 4)"),
        (places_in_turn, "the place of the right option (of 4) comes again after 4 asks"),
        (every_other, "the number of the ask goes with the truth"),
        (rewarded, "the reward goes with the truth"),
        (more_time, "the time left goes with the truth"),
        (always_first, "the right option is always first among the options (60 of 60, where 15 would be even); p = "),
        (often_first, "the right option is too often first among the options"),
        (often_first_of_two, "the right option is too"),
        (once_a_session, "the right option is always first among the options (30 of 30"),
        (always_yes, "the right option is always first"),
        (first_in_a_fixed_bank, "the right option is always first among the options (12 of 12"),
        (never_last, "is never"),
        (named_first, "always first where the prompt names them"),
        (longest, "the right option differs from the others by"),
        (early, "the number of the ask"),
        (wordy, "whether the prompt says 'closely' decides the truth"),
        (unseen, "what cannot be seen of the prompt"),
        (coded_key, "the end of the key"),
        (key_number, "the number in the key"),
    ],
)
def test_what_ought_to_tell_nothing_is_caught_when_it_does(leak, words):
    found = check_nothing_tells(full_trial_of(leak))
    assert found.passed is False, found
    assert words in found.words, found.words


def test_a_reason_to_show_the_truth_excuses_words_but_neither_keys_nor_places():
    why = "The longer text is the right one, as the instructions say."
    assert check_nothing_tells(full_trial_of(wordy, shows_truth=why)).passed
    for leak in (always_first, coded_key):
        assert check_nothing_tells(full_trial_of(leak, shows_truth=why)).passed is False


def mostly_yes(rng):
    for i in range(20):
        yield Ask(f"Scan {i}.", Choice(("yes", "no")), key=f"q{i}", truth="yes" if rng.random() < 0.9 else "no")


def none_of_these(rng):
    for i in range(10):
        three = shuffled(rng, list(rng.choice(WORDS, 3, replace=False)))
        right = "none of these" if rng.random() < 0.05 else three[int(rng.integers(3))]
        yield Ask("Which?", Choice((*three, "none of these")), key=f"q{i}", truth=right)


def harder_and_harder(rng):
    for i in range(12):
        a, b = (int(part) for part in rng.integers(4**i, 4 ** (i + 1), 2))
        yield Ask(f"{a} + {b} = ?", Number(), key=f"q{i}", truth=a + b)


def rewarded_for_right_answers(rng):
    reward = None
    for i in range(8):
        four, right = options(rng, 0.25)
        answer = yield Ask("Which?", Choice(four), key=f"q{i}", truth=right, reward=reward)
        reward = float(answer == right)


def rewarded_for_near_answers(rng):
    level, reward = float(rng.integers(30)), None
    for i in range(8):
        level = abs(level + rng.normal())
        answer = yield Ask("How high?", Number(0, 100), key=f"q{i}", truth=level, reward=reward)
        reward = -abs(answer - level)


@pytest.mark.parametrize(
    "honest",
    [mostly_yes, none_of_these, harder_and_harder, rewarded_for_right_answers, rewarded_for_near_answers],
)
def test_what_is_honest_passes(honest):
    found = check_nothing_tells(full_trial_of(honest))
    assert found.passed, found


def test_nothing_to_tell_is_no_fault():
    def free(rng):
        yield Ask("Say something.", Text(), key="q", truth={"words": ["any"]})

    assert check_nothing_tells(full_trial_of(saving)).passed is None
    assert check_nothing_tells(full_trial_of(free)).passed is None
