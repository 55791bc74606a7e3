"""Chance: what a subject is handed and how long it waits tells nothing of the coins."""

import json
import sys

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from mensura.dialogue import Address, generator
from mensura.dialogue.streams import SPAWNED, subject_generator
from mensura.running.checks.leak.reaching import check_reach
from mensura.running.checks.trial import Trial
from mensura.running.run import run
from tests.attacks.fair import COINS, SOURCE, fair_coins
from tests.subjects.boxes import needs_bubblewrap

UNLIKELY = 1e-6


def guesses(number):
    """Draw coins from a number in every way that one might think of."""
    sequences = [np.random.SeedSequence(number)]
    sequences += [np.random.SeedSequence(number, spawn_key=(0,) * depth) for depth in range(1, 6)]
    sequences += sequences[0].spawn(4)
    sequences += [np.random.SeedSequence([number, *rest]) for rest in ([0], [0, 0, 0], [1])]
    for sequence in sequences:
        for kind in (np.random.PCG64, np.random.Philox, np.random.MT19937):
            rng = np.random.Generator(kind(sequence))
            yield "".join(str(int(rng.random() < 0.5)) for _ in range(COINS))
            # It may have been drawn from before.
            later = "".join(str(int(rng.random() < 0.5)) for _ in range(COINS + 5))
            yield from (later[skip : skip + COINS] for skip in range(6))


def coins_of(seed):
    """Throw the coins of a seed as the test does."""
    rng = generator(seed)
    return "".join(str(int(rng.random() < 0.5)) for _ in range(COINS))


def test_the_guesses_find_the_coins_where_the_number_is_the_seed():
    assert coins_of(12345) in set(guesses(12345))
    # As in the first release: the generator of a subject gave the seed away.
    old = subject_generator(12345, Address(), "subject", derivation=SPAWNED)
    assert coins_of(12345) in set(guesses(old.bit_generator.seed_seq.entropy))


class Diviner:
    """Looks for the coins in everything that leads from its generator."""

    found: set[str]

    def begin(self, rng):
        sequence = rng.bit_generator.seed_seq
        numbers = [
            sequence.entropy,
            int(rng.integers(2**53)),
            int(rng.integers(2**31)),
            rng.bit_generator.state["state"],
        ]
        numbers = [number for part in numbers for number in (part.values() if isinstance(part, dict) else [part])]
        self.found = {guess for number in numbers for guess in guesses(number)}
        self.found |= {"".join(str(int(child.random() < 0.5)) for _ in range(COINS)) for child in rng.spawn(3)}

    def __call__(self, ask):
        known.append(self.found)
        assert ask.truth is None
        assert ask.aside is None
        return 0.5


known: list[set[str]] = []


def test_a_live_subject_finds_no_way_from_its_generator_to_the_coins(laboratory):
    known.clear()
    head = run(fair_coins(), Diviner, store=laboratory.store).head
    truths = laboratory.store.truths.of(laboratory.store.sessions.of(head.id)[0].id)
    assert "".join(str(truths[f"coin{number}"]) for number in range(COINS)) not in known[0]
    assert len(known[0]) > 100


def test_nothing_handed_to_a_live_function_leads_to_seed_or_truth():
    found = check_reach(Trial(fair_coins(), {"many": COINS}, 2**101 + 9))
    assert found.passed, found.words


NOTING = """
import json, sys, time
answered, begun = time.perf_counter(), {}
for text in sys.stdin:
    message = json.loads(text)
    if message["type"] == "begin":
        begun = message
    if message["type"] == "ask":
        waited = time.perf_counter() - answered
        notes = {"waited": waited, "text": text, "begun": begun}
        print(json.dumps({"answer": 0.5, "notes": notes}), flush=True)
        answered = time.perf_counter()
"""


@pytest.fixture
def noted(laboratory):
    """Give the notes and the truths of some hundred coins, in the order of asking."""
    laboratory.write("agent.py", NOTING)
    laboratory.write("coins.py", SOURCE.replace(f"int = {COINS}", "int = 600"))
    taken = laboratory.take("./coins.py:fair", f"program:{sys.executable} -S -E agent.py")
    session = laboratory.store.sessions.of(taken.run)[0].id
    answers = [event for event in laboratory.store.events.of(session) if event.kind == "answer"]
    return [event.notes for event in answers], np.array([taken.truths[event.key] for event in answers])


@needs_bubblewrap
@pytest.mark.parametrize("ahead", [-1, 0, 1])
def test_the_time_to_an_ask_does_not_depend_on_its_truth_nor_the_one_before(noted, ahead):
    notes, truths = noted
    waited = np.array([note["waited"] for note in notes[2:-2]])
    truths = truths[2 + ahead : len(truths) - 2 + ahead]
    assert mannwhitneyu(waited[truths == 1], waited[truths == 0]).pvalue > UNLIKELY


@needs_bubblewrap
def test_asks_are_alike_but_for_their_number_and_key_and_the_seed_leads_nowhere(noted):
    notes, truths = noted
    kept = [
        {name: value for name, value in json.loads(note["text"]).items() if name not in ("number", "key")}
        for note in notes
    ]
    assert all(one == kept[0] for one in kept)
    assert [json.loads(note["text"])["key"] for note in notes] == [f"coin{number}" for number in range(len(notes))]
    assert set(notes[0]["begun"]) == {"type", "protocol", "test", "seed", "role"}
    coins = "".join(map(str, truths[:COINS]))
    assert coins not in set(guesses(notes[0]["begun"]["seed"]))
