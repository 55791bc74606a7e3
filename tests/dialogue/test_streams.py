"""Streams: what a subject is handed leads neither to the seed nor to another stream; old runs keep theirs."""

import numpy as np
import pytest

from mensura.dialogue import Address, Ask, Instance, Probability, Session, generator, replay, test
from mensura.dialogue.streams import KEYED, SPAWNED, child, part, seed_mark, subject_generator
from mensura.errors import BadParameter
from mensura.running.take import take

SEED = 2**127 + 9


@test("mint-v1")
def mint(rng, *, flips: int = 20):
    """Say how coins of unknown bias will fall."""
    for i in range(flips):
        yield Ask("Heads?", Probability(), key=f"coin{i}", truth=int(rng.random() < 0.5))


class Thief:
    """Makes the test's own generator from whatever its generator tells, as ten lines could before."""

    def begin(self, rng):
        found = rng.bit_generator.seed_seq
        key = (*found.spawn_key[:3], 0) if found.spawn_key else (0, 0, 0, 0)
        stolen = np.random.SeedSequence(found.entropy, spawn_key=key)
        self.stolen = np.random.Generator(np.random.PCG64(stolen))

    def __call__(self, ask):
        return float(self.stolen.random() < 0.5)


def right(streams: str) -> int:
    """Count the coins that the thief foresees."""
    session = Session(Instance(mint, mint.fill(), SEED, streams=streams))
    thief = Thief()
    thief.begin(session.instance.chance_of("subject"))
    session.start()
    hits = 0
    while session.status == "open":
        truth = session.drain_truths()
        guess = thief(session.open["subject"])
        hits += int(guess == next(iter(truth.values())))
        session.answer(guess)
    return hits


def test_the_generator_of_a_subject_no_longer_gives_the_tests_away():
    assert right(SPAWNED) == 20, "the attack works on streams of the first release"
    assert 3 <= right(KEYED) <= 17


def test_equal_addresses_and_roles_have_equal_streams_and_all_others_differ():
    places = [Address(), Address(1), Address(0, 1), Address(0, 0, 1), Address(item="0a"), Address(item="0b")]
    drawn = {subject_generator(SEED, place, role).random() for place in places for role in ("subject", "helper")}
    assert len(drawn) == 12
    assert subject_generator(SEED, Address(), "subject").random() in drawn
    assert subject_generator(SEED + 1, Address(), "subject").random() not in drawn


def test_no_part_of_a_subjects_generator_is_the_seed_or_derived_from_it_openly():
    own = subject_generator(SEED, Address(3, 1, 4), "subject").bit_generator.seed_seq
    assert own.entropy != SEED
    assert own.spawn_key == ()
    assert generator(SEED, Address(3, 1, 4)).bit_generator.seed_seq.entropy == SEED


def test_the_tests_own_stream_is_what_it_was():
    assert generator(1, Address(session=3)).random() == pytest.approx(0.33953910994674585)


def test_members_of_a_group_cannot_make_one_anothers_streams():
    first, second = part(subject_generator(SEED, Address(), "subject"), 2)
    for stolen in first.bit_generator.seed_seq.spawn(4):
        assert np.random.Generator(np.random.PCG64(stolen)).random() != second.random()
    assert first.bit_generator.seed_seq.entropy != second.bit_generator.seed_seq.entropy
    old = generator(SEED, Address(), stream="subject")
    again = generator(SEED, Address(), stream="subject")
    assert [one.random() for one in part(old, 2)] == [one.random() for one in again.spawn(2)]


def test_a_child_does_not_show_its_parents_draws():
    parent, twin = np.random.default_rng(5), np.random.default_rng(5)
    drawn = int.from_bytes(twin.bytes(32), "big")
    assert child(parent).bit_generator.seed_seq.entropy != drawn


def test_a_derivation_of_a_newer_release_is_refused_with_a_sentence():
    with pytest.raises(BadParameter, match="keyed-9"):
        subject_generator(1, Address(), "subject", derivation="keyed-9")


def test_marks_of_seeds_are_equal_for_equal_seeds_only():
    assert seed_mark(SEED) == seed_mark(SEED) != seed_mark(SEED + 1)
    assert str(SEED) not in seed_mark(SEED)


class Knowing:
    """Answers with the truth that it is given by contract."""

    knows = "truth"

    def __call__(self, ask):
        return float(ask.truth)


def test_only_a_subject_that_is_declared_to_know_is_given_the_truth():
    seen = []
    assert take(mint, Knowing(), seed=1).record.given().keys() == {f"coin{i}" for i in range(20)}
    take(mint, lambda ask: seen.append((ask.truth, ask.aside)) or 0.5, seed=1)
    assert set(seen) == {(None, None)}


def test_knowing_changes_nothing_of_the_log():
    instance = Instance(mint, mint.fill(), SEED)
    knowing = Instance(mint, mint.fill(), SEED, knowing=frozenset({"subject"}))
    logs = []
    for one in (instance, knowing):
        session = Session(one)
        session.start()
        while session.status == "open":
            session.answer(0.5)
        logs.append(session.drain())
    assert logs[0] == logs[1]
    assert replay(knowing, logs[0]).status == "finished"


def test_what_is_put_aside_for_the_knowing_is_never_logged():
    @test("aside-v1")
    def beside(rng):
        yield Ask("Look", aside={"world": "hidden-world"})
        yield Ask("Heads?", Probability(), key="coin", aside={"world": "hidden-world"})

    heard = []

    class Oracle:
        knows = "truth"

        def feedback(self, told):
            heard.append(told.aside)

        def __call__(self, ask):
            heard.append(ask.aside)
            return 0.5

    taken = take(beside, Oracle(), seed=1)
    assert heard == [{"world": "hidden-world"}] * 2
    assert taken.truths == {}
    session = Session(Instance(beside, {}, 1))
    session.start()
    session.answer(0.5)
    assert "hidden-world" not in repr(session.drain())
