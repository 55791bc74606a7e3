"""Saves that forget, double or do not survive are caught."""

from mensura.dialogue import Ask, Choice, Number, Save
from mensura.running.checks.saving import check_saves
from tests.running.checks.examined import good, saving, trial_of


def test_saves_that_hold_everything_pass():
    found = check_saves(trial_of(saving))
    assert found.passed, found
    assert found.words.startswith("4 saves")


def test_a_save_that_forgets_is_caught():
    def forgetful(rng, *, saved=None):
        start, total = (0, 0) if saved is None else (saved, 0)
        for i in range(start, 4):
            answer = yield Ask(f"So far {total}. Add?", Number(1, 9, integer=True), key=f"q{i}")
            total += answer or 0
            yield Save(i + 1)

    found = check_saves(trial_of(forgetful))
    assert found.passed is False
    assert "then from the save at 3: event 4" in found.words


def test_a_save_that_comes_twice_is_caught():
    def twice(rng, *, saved=None):
        for i in range(saved or 0, 3):
            yield Save(i)
            yield Ask(f"Number {i}?", Choice(("yes", "no")), key=f"q{i}")

    found = check_saves(trial_of(twice))
    assert found.passed is False
    assert "once more when it resumes from it" in found.words


def test_a_save_that_does_not_survive_json_is_caught():
    def keyed(rng, *, saved=None):
        seen = {} if saved is None else saved
        for i in range(len(seen), 3):
            yield Ask(f"Seen {sorted(seen.items(), key=str)}.", Choice(("yes", "no")), key=f"q{i}")
            seen[i] = True
            yield Save(dict(seen))

    assert check_saves(trial_of(keyed)).passed is False


def test_saves_that_are_not_taken_back_are_caught():
    def deaf(rng):
        yield Ask("One?", Choice(("yes", "no")))
        yield Save({})
        yield Ask("Two?", Choice(("yes", "no")))

    found = check_saves(trial_of(deaf))
    assert found.passed is False
    assert "add saved=None to its arguments" in found.words


def test_no_saves_is_no_fault():
    assert check_saves(trial_of(good)).passed is None

    def never(rng, *, saved=None):
        yield Ask("One?", Choice(("yes", "no")))

    assert "takes `saved` but yields no Save" in check_saves(trial_of(never)).words
