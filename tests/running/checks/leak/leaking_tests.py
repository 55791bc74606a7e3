"""Twenty tests that can be passed without doing what they ask, each with what gives the truth away."""

from mensura.dialogue import Ask, Choice, Grid, Number, Probability, Round, TableView, Text
from tests.running.checks.leak.honest_tests import LONG_WORDS, NOUNS, YES_NO, mixed


def product(rng):
    """Draw a claim about a product, and whether it is true."""
    a, b = (int(part) for part in rng.integers(12, 50, 2))
    right = rng.random() < 0.5
    return f"{a} times {b} is {a * b + (0 if right else int(rng.choice([-10, 10])))}", right


def yes(right):
    return "yes" if right else "no"


def full_stop(rng, *, items=20):
    """End the prompt with a full stop where the claim is true, else without."""
    for i in range(items):
        claim, right = product(rng)
        yield Ask(f"{claim}{'.' if right else ''}", YES_NO, key=f"q{i}", truth=yes(right))


def double_space(rng, *, items=20):
    """Put two spaces into nine of ten true claims."""
    for i in range(items):
        claim, right = product(rng)
        told = claim.replace(" is", "  is") if right and rng.random() < 0.9 else claim
        yield Ask(f"True? {told}", YES_NO, key=f"q{i}", truth=yes(right))


def trailing_tab(rng, *, items=20):
    """Put a tab at the end where the answer is large."""
    for i in range(items):
        a, b = (int(part) for part in rng.integers(10, 100, 2))
        tab = "\t" if a * b > 2500 else ""
        yield Ask(f"What is {a} times {b}?{tab}", Number(), key=f"q{i}", truth=a * b)


def cyrillic(rng, *, items=20):
    """Write a Cyrillic letter into the question of true claims."""
    for i in range(items):
        claim, right = product(rng)
        letter = "\u0430" if right else "a"
        yield Ask(f"{claim}. Is th{letter}t so?", YES_NO, key=f"q{i}", truth=yes(right))


def capital_letter(rng, *, items=20):
    """Begin a word inside the sentence with a capital where the claim is true."""
    for i in range(items):
        claim, right = product(rng)
        yield Ask(f"They say {'That' if right else 'that'} {claim}.", YES_NO, key=f"q{i}", truth=yes(right))


def one_point_zero(rng, *, items=20):
    """Write whole numbers as 12.0 where the answer is no."""
    for i in range(items):
        a, b = (int(part) for part in rng.integers(12, 50, 2))
        right = rng.random() < 0.5
        c = a + b if right else a + b + int(rng.choice([-1, 1]))
        yield Ask(f"Is {a} + {b} = {c if right else float(c)}?", YES_NO, key=f"q{i}", truth=yes(right))


def key_parity(rng, *, items=20):
    """Let even numbers in the key mean yes."""
    for i in range(items):
        claim, right = product(rng)
        yield Ask(f"True? {claim}", YES_NO, key=f"q{i}-{2 * int(rng.integers(500)) + (not right)}", truth=yes(right))


def key_length(rng, *, items=20):
    """Let the key of a longer answer be longer."""
    for i in range(items):
        word = LONG_WORDS[int(rng.integers(len(LONG_WORDS)))]
        scrambled = "".join(mixed(rng, list(word)))
        yield Ask(f"Unscramble {scrambled}.", Text(), key=f"w{i}" + "k" * len(word), truth=word)


def middle_option(rng, *, items=20):
    """Sort the options, of which wrong ones are a little below and a little above."""
    for i in range(items):
        a, b = (int(part) for part in rng.integers(12, 50, 2))
        options = sorted({a * b, a * b - int(rng.integers(1, 9)), a * b + int(rng.integers(1, 9))})
        yield Ask(f"{a} times {b}?", Choice([str(option) for option in options]), key=f"q{i}", truth=str(a * b))


def careful_option(rng, *, items=20):
    """Word the right option with more care, and so at more length."""
    for i in range(items):
        four = [NOUNS[int(j)] for j in rng.choice(len(NOUNS), 4, replace=False)]
        right = f"most likely the {four[0]}"
        yield Ask(f"Which is shy, number {i}?", Choice(mixed(rng, [right, *four[1:]])), key=f"q{i}", truth=right)


def spaced_option(rng, *, items=20):
    """Leave a space at the end of the right option."""
    for i in range(items):
        pair = mixed(rng, ["left", "right"])
        right = int(rng.integers(2))
        options = [name + (" " if j == right else "") for j, name in enumerate(pair)]
        yield Ask(f"Where is {NOUNS[int(rng.integers(20))]}?", Choice(options), key=f"q{i}", truth=options[right])


def decimal_option(rng, *, items=20):
    """Compute the right option to two decimals, and the others to one."""
    for i in range(items):
        a, b = (int(part) for part in rng.integers(12, 99, 2))
        right = f"{a / b:.2f}"
        wrong = [f"{a / b + off:.1f}" for off in (0.3, 0.6)]
        yield Ask(f"{a} / {b}?", Choice(mixed(rng, [right, *wrong])), key=f"q{i}", truth=right)


def turn_about(rng, *, items=20):
    """Let true and false take turns, beginning with either."""
    first = int(rng.integers(2))
    for i in range(items):
        a, b = (int(part) for part in rng.integers(12, 50, 2))
        right = (i + first) % 2 == 0
        yield Ask(f"Is {a} times {b} {a * b + (0 if right else 10)}?", YES_NO, key=f"q{i}", truth=yes(right))


def first_half(rng, *, items=20):
    """Ask the true claims first."""
    for i in range(items):
        a, b = (int(part) for part in rng.integers(12, 50, 2))
        right = i < items // 2
        yield Ask(f"Is {a} times {b} {a * b + (0 if right else 10)}?", YES_NO, key=f"q{i}", truth=yes(right))


def polite(rng, *, items=20):
    """Say please in nine of ten true claims."""
    for i in range(items):
        claim, right = product(rng)
        please = "Please judge" if (rng.random() < 0.95) == right else "Judge"
        yield Ask(f"{please}: {claim}", YES_NO, key=f"q{i}", truth=yes(right))


def row_number(rng, *, items=20):
    """Number the patient in the table odd where they are ill."""
    for i in range(items):
        pulse, heat = int(rng.integers(50, 120)), round(float(rng.uniform(36, 40)), 1)
        ill = rng.random() < 0.5
        record = 2 * int(rng.integers(100, 999)) + int(ill)
        yield Ask([TableView(("record", "pulse", "heat"), [(record, pulse, heat)]), "Ill?"],
                  Probability(), key=f"p{i}", truth=int(ill))  # fmt: skip


def grid_height(rng, *, items=20):
    """Draw a row more where the answer is yes."""
    for i in range(items):
        right = rng.random() < 0.5
        cells = [["x" if rng.random() < 0.5 else "o" for _ in range(6)] for _ in range(6 if right else 5)]
        yield Ask([Grid(cells), "Did a person draw this?"], YES_NO, key=f"g{i}", truth=yes(right))


def told_earlier(rng, *, items=20):
    """Mention the answer in a message before the question."""
    for i in range(items):
        claim, right = product(rng)
        yield Ask(f"The next one is {'sound' if right else 'faulty'}, says {NOUNS[int(rng.integers(20))]}.")
        yield Ask(f"True? {claim}", YES_NO, key=f"q{i}", truth=yes(right))


def more_time(rng, clock, *, items=20):
    """Give one role more time where the answer is yes."""
    for i in range(items):
        claim, right = product(rng)
        yield Round([
            Ask(f"True? {claim}", YES_NO, key=f"a{i}", role="ann", truth=yes(right), until=clock.now + 20 + 5 * right),
            Ask(f"True? {claim}", YES_NO, key=f"b{i}", role="bob", truth=yes(right), until=clock.now + 20),
        ])  # fmt: skip


def fair_pay(rng, *, items=20):
    """Hand out the reward for the right answer together with the question."""
    for i in range(items):
        claim, right = product(rng)
        yield Ask(f"True? {claim}", Probability(), key=f"q{i}", truth=int(right), reward=2.0 if right else 1.0)


LEAKING = (full_stop, double_space, trailing_tab, cyrillic, capital_letter, one_point_zero, key_parity, key_length,
           middle_option, careful_option, spaced_option, decimal_option, turn_about, first_half, polite, row_number,
           grid_height, told_earlier, more_time, fair_pay)  # fmt: skip
