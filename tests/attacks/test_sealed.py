"""Sealed: a holder of a copy of the store, without its key, learns nothing from it before the run is over."""

from mensura.dialogue import Ask, Choice, test
from mensura.running.run import run
from tests.attacks.fair import COINS, fair_coins


def copied(store, table, column):
    """Read a column as anybody could who has a copy of the store."""
    with store.database.reading() as connection:
        return list(connection.exec_driver_sql(f"SELECT {column} FROM {table}").scalars())


class Looking:
    """Keeps what stands in the store while it is asked."""

    def __init__(self, store):
        self.store = store
        self.seen = []

    def __call__(self, ask):
        self.seen.append(copied(self.store, "truths", "value"))
        return "yes" if ask.key.startswith("answer") else 0.5


def test_no_truth_no_seed_and_no_result_is_stored_in_plain_before_the_end(laboratory):
    looking = Looking(laboratory.store)
    plain = []

    def subject(ask):
        plain.extend(
            value
            for table, column in (("truths", "value"), ("runs", "seed"), ("results", "scores"), ("sessions", "secret"))
            for value in copied(laboratory.store, table, column)
            if not value.startswith("sealed:")
        )
        return looking(ask)

    run(fair_coins(), subject, store=laboratory.store, sessions=2)
    assert len(looking.seen) == 2 * COINS
    assert plain == []


def test_equal_truths_look_different_and_are_equally_long(laboratory):
    looking = Looking(laboratory.store)
    run(fair_coins(), looking, store=laboratory.store)
    assert len(set(looking.seen[-1])) == COINS
    assert len(set(map(len, looking.seen[-1]))) == 1


def test_the_length_of_a_sealed_truth_does_not_tell_it(laboratory):
    @test("words-v1")
    def words(rng):
        """Say yes or no, as a coin says."""
        for number in range(COINS):
            truth = "yes, surely" if rng.random() < 0.5 else "no"
            yield Ask("Yes?", Choice(("yes, surely", "no")), key=f"word{number}", truth=truth)

    guessed = []

    def subject(ask):
        with laboratory.store.database.reading() as connection:
            mine = connection.exec_driver_sql("SELECT value FROM truths WHERE key = ?", (ask.key,)).scalar_one()
        guessed.append("yes, surely" if len(mine) > 60 else "no")
        return guessed[-1]

    head = run(words, subject, store=laboratory.store).head
    truths = laboratory.store.truths.of(laboratory.store.sessions.of(head.id)[0].id)
    assert guessed != [truths[f"word{number}"] for number in range(COINS)]
