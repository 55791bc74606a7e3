"""Letter series: all programs that explain a series are found, and Thurstone's series are what they are."""

from itertools import product

import numpy as np
import pytest

from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.kinds.letter_series import GRAMMAR
from mensura.catalog.puzzles.showing.presentation import Presentation

KIND = find_kind("letter-series")
COLUMN = [
    (name, constants)
    for name in ("same", "add", "add-growing", "reflect")
    for constants in product(*GRAMMAR.uses[name].domains)
]


def letter(name, constants, chain):
    if name == "reflect":
        return 25 - chain[-1]
    if name == "add-growing":
        return (2 * chain[-1] - chain[-2] + constants[0]) % 26
    return (chain[-1] + sum(constants)) % 26


def explains(name, constants, chain):
    starts = 1 + (name == "add-growing")
    return len(chain) > starts and all(
        letter(name, constants, chain[:at]) == chain[at] for at in range(starts, len(chain))
    )


def explained_by_trial(shown, limit):
    """Try every rule in every place, every order and every repetition."""
    found = []
    for size in range(1, 6):
        columns = [[one for one in COLUMN if explains(*one, shown[place::size])] for place in range(size)]
        for chosen in product(*columns):
            found.append((chosen, letter(*chosen[len(shown) % size], shown[len(shown) % size :: size])))
    for name in ("reverse", "rotate", "swap"):
        for constants, on in product(product(*GRAMMAR.uses[name].domains), (0, *GRAMMAR.uses["add"].domains[0])):
            size = constants[0]
            groups = [shown[:size]]
            while len(groups) * size <= len(shown):
                last = groups[-1]
                if name == "reverse":
                    last = last[::-1]
                elif name == "swap":
                    last = [last[-1], *last[1:-1], last[0]]
                else:
                    last = np.roll(last, -constants[1]).tolist()
                groups.append([(one + on) % 26 for one in last])
            whole = [one for group in groups for one in group]
            if len(shown) > size and whole[: len(shown)] == shown:
                found.append((((name, constants), *([("add", (on,))] if on else [])), whole[len(shown)]))
    for size, on in product(*GRAMMAR.uses["progression"].domains):
        whole = [*shown[:size], *((one + on) % 26 for one in shown[: len(shown) + 1 - size])]
        if len(shown) > size and whole[:-1] == shown:
            found.append(((("progression", (size, on)),), whole[-1]))
    for times, one in product((2, 3, 4), COLUMN):
        base = shown[::times]
        if np.repeat(base, times)[: len(shown)].tolist() == shown and explains(*one, base):
            after = letter(*one, base) if len(shown) % times == 0 else shown[-1]
            found.append(((("repeat", (times,)), one), after))
    return sorted(
        str((tuple(rules), after))
        for rules, after in found
        if sum(GRAMMAR.lengths[name] for name, _ in rules) <= limit + 1e-6
    )


@pytest.mark.parametrize("rules", [1, 2, 3, 4])
def test_every_program_is_found_that_trying_all_of_them_finds(rules):
    rng = np.random.default_rng(rules)
    drawn = [puzzle for puzzle in (KIND.draw(rng, rules=rules) for _ in range(12)) if puzzle is not None]
    cases = [(puzzle.shown, puzzle.derivation.length) for puzzle in drawn]
    cases += [(puzzle.shown[:6], 60.0) for puzzle in drawn] + [([3] * 7, 60.0), ([0, 25, 0, 25, 0, 25], 60.0)]
    for shown, limit in cases:
        ours = [
            str((tuple((step.operation, step.arguments) for step in one.derivation.steps), one.answer))
            for one in KIND.explain(shown, limit=limit).found
        ]
        assert sorted(ours) == explained_by_trial(shown, limit), shown


def test_the_number_of_programs_compared_is_that_of_the_grammar():
    orders = 4 + 6 + 3
    assert KIND.explain([0, 1, 2], limit=1e3).checked == sum(14**n for n in range(1, 6)) + orders * 9 + 4 * 8 + 3 * 14


@pytest.mark.parametrize(
    ("shown", "answer"),
    [
        ("cdcdcdcd", "c"),
        ("aaabbbcccdd", "d"),
        ("abmcdmefm", "g"),
        ("defgefghfghi", "g"),
        ("mabmbcmcdm", "d"),
        ("urtustuttu", "u"),
        ("xyzxyzxyz", "x"),
        ("abyabxabwab", "v"),
    ],
)
def test_series_in_thurstones_form_are_continued_as_people_do(shown, answer):
    letters = [ord(one) - 97 for one in shown]
    shortest = min(KIND.explain(letters, limit=40).found, key=lambda one: one.derivation.length)
    assert chr(97 + shortest.answer) == answer


def test_the_question_says_what_follows_the_last_letter_and_which_order_holds():
    greek = KIND.show([0, 1, 25], Presentation({"symbols": "greek"}))
    assert "After ω comes α again." in greek.question
    assert "α β γ δ ε ϛ" in greek.question
    assert "After Z comes A again." in KIND.show([0], Presentation()).question
