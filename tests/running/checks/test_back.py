"""Where people may change their answers, nothing that is asked may depend on them."""

from mensura.dialogue import Ask, Number, test
from mensura.running.checks.back import check_back
from mensura.running.checks.trial import Trial


@test("echo-v1", back=True)
def echo(rng):
    """Say again what was said."""
    said = yield Ask("One?", Number(0, 9), key="one")
    yield Ask(f"You said {said}.", Number(0, 9), key="two")


@test("deaf-v1", back=True)
def deaf(rng):
    """Ask whatever is said."""
    for key in ("one", "two"):
        yield Ask(f"{key}?", Number(0, 9), key=key)


def test_what_depends_on_answers_is_found():
    assert check_back(Trial(deaf, {})).passed
    found = check_back(Trial(echo, {}))
    assert not found.passed
    assert "what comes at 'two' depends on the answers" in found.words
