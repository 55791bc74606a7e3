"""A change of behaviour shows as a readable difference."""

from mensura.dialogue import Ask, Probability, test
from mensura.running.check import CheckOptions, make_trial, update_golden
from mensura.running.checks.golden import check_golden
from tests.running.checks.examined import QUICK, good


def test_a_change_of_behaviour_shows_as_a_readable_diff(tmp_path):
    before = test("golden-v1")(good)
    path = update_golden(before, tmp_path, options=QUICK, asks=6)
    assert path.name == "golden-v1.jsonl"
    # Written with six asks, compared as it was written whatever the parameters now.
    assert check_golden(make_trial(before, options=QUICK), tmp_path).passed

    def changed(rng, *, asks: int = 12):
        for ask in good(rng, asks=asks):
            ask.prompt = ask.prompt.replace("Which letter?", "What letter?")
            yield ask

    found = check_golden(make_trial(test("golden-v1")(changed), options=QUICK), tmp_path)
    assert found.passed is False
    assert "raise the version" in found.words
    assert "-{" in found.words
    assert "What letter? 0" in found.words
    assert check_golden(make_trial(before, options=QUICK), None).passed is None
    assert check_golden(make_trial(before, options=QUICK), tmp_path / "elsewhere").passed is None


def test_of_a_long_session_the_rest_is_kept_as_a_hash(tmp_path):
    def long(rng, *, last: str = "end"):
        for i in range(200):
            yield Ask(f"Number {i if i < 199 else last}?", Probability(), key=f"q{i}")

    made = make_trial(test("long-v1")(long), options=CheckOptions())
    path = update_golden(made.test, tmp_path)
    assert '"further events"' in path.read_text()
    assert check_golden(made, tmp_path).passed

    def other(rng, *, last: str = "end"):
        yield from long(rng, last="close")

    assert check_golden(make_trial(test("long-v1")(other)), tmp_path).passed is False
