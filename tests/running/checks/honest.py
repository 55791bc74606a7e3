"""Honest tests of many shapes, in which nothing tells the truth."""

import numpy as np

from mensura.dialogue import Action, Ask, Choice, Distribution, Number, Probability, Text

WORDS = ("zebra", "horse", "camel", "otter", "mouse", "sheep", "goose", "tiger", "eagle", "snake", "whale", "koala")


def shuffled(rng, options):
    """Put options in a random order."""
    return tuple(rng.permutation(options).tolist())


def animals(rng):
    """Ask for one of four words, all named in the prompt, in another order than in the options."""
    for i in range(10):
        four = rng.choice(WORDS, 4, replace=False).tolist()
        yield Ask(f"Which of {', '.join(shuffled(rng, four))}?", Choice(shuffled(rng, four)), f"q{i}", truth=four[0])


def coins(rng):
    """Ask whether coins of known bias fall heads."""
    for i in range(20):
        bias = rng.random()
        truth = int(rng.random() < bias)
        yield Ask(f"Heads has chance {bias:.2f}.", Probability(), f"coin{i}", truth=truth)


def sums(rng):
    """Ask for sums, which are not in the prompt."""
    for i in range(10):
        a, b = (int(part) for part in rng.integers(1000, 9999, 2))
        yield Ask(f"{a} + {b} = ?", Number(), f"sum{i}", truth=a + b)


def drifting(rng):
    """Ask for a level that wanders from ask to ask, as sessions hang together."""
    level = 0.0
    for i in range(15):
        level += rng.normal()
        yield Ask(
            f"Day {i}. {'Rain. ' * int(rng.integers(1, 4))}",
            Choice(("up", "down")),
            truth="up" if level > 0 else "down",
        )


def moods(rng):
    """Give a whole session one truth, one theme and one order of the options."""
    mood = ["calm", "angry"][int(rng.random() < 0.5)]
    order, theme = shuffled(rng, ["calm", "angry"]), "x" * int(rng.integers(1, 30))
    for i in range(8):
        yield Ask(f"A face of the series {theme}, number {i}.", Choice(order), f"face{i}", truth=mood)


def lopsided(rng):
    """Say no nine times out of ten, with sessions of unequal length."""
    for i in range(int(rng.integers(3, 15))):
        spots = "spot " * int(rng.integers(1, 20))
        yield Ask(
            f"Is there one? {spots}", Choice(("yes", "no")), f"scan{i}", truth="yes" if rng.random() < 0.1 else "no"
        )


def quiz(rng, *, bank: int = 0):
    """Ask twelve fixed items, drawn once for each bank, in a random order."""
    fixed = np.random.default_rng(bank)
    items = []
    for i in range(12):
        four = fixed.choice(WORDS, 4, replace=False).tolist()
        length = int(fixed.integers(1, 40))
        items.append((f"Item {i}: {'?' * length}", tuple(four), four[int(fixed.integers(4))]))
    for i in rng.permutation(12):
        prompt, options, truth = items[int(i)]
        yield Ask(prompt, Choice(options), key=f"item{i}", truth=truth)


def moves(rng):
    """Ask for moves by number, and spread bets over names."""
    for i in range(8):
        yield Ask("Where to?", Action(("left", "right", "stay")), f"move{i}", truth=int(rng.integers(3)))
        names = shuffled(rng, ["red", "green", "blue"])
        yield Ask("Which colour?", Distribution(names), f"bet{i}", truth=names[int(rng.integers(3))])


def riddles(rng):
    """Ask for words and tell them afterwards."""
    for i in range(10):
        word = str(rng.choice(WORDS))
        yield Ask(f"Riddle {int(rng.integers(10**6))}: what is it?", Text(), f"riddle{i}", truth=word)
        yield Ask(f"It was the {word}.")


HONEST = (animals, coins, sums, drifting, moods, lopsided, quiz, moves, riddles)
