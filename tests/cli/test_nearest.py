"""Options, verbs and names that are not there are answered with the nearest right thing, across verbs and tools."""

import pytest

from mensura.cli.nearest import OTHER_TOOLS, OTHER_VERBS


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (("run", "coin", "--model", "openai/gpt-4o"), 1, "Here that is --as llm:gpt-4o, or --as llm:MODEL@URL"),
        (("run", "coin", "--as", "chance", "--epochs", "3"), 1, "Here that is --sessions N"),
        (("run", "coin", "--as", "chance", "--temperature", "0"), 1, """--as 'llm:MODEL#settings={"temperature":0"""),
        (("run", "coin", "--as", "chance", "--max-tokens", "9"), 1, "#settings="),
        (("run", "coin", "--as", "chance", "--output", "x"), 1, "mensura export last --to FILE"),
        (("run", "coin", "--env", "CartPole-v1"), 1, "mensura run gym:CartPole-v1"),
        (("run", "coin", "--as", "chance", "--sesions", "3"), 1, "Did you mean --sessions?"),
        (("run", "coin", "--as", "chance", "--flps", "3"), 1, "Did you mean --flips?"),
        (("take", "coin", "--as", "chance", "--sessions", "3"), 1, "--sessions is an option of `mensura run`"),
        (("take", "coin", "--as", "chance", "--concurency", "3"), 1, "Did you mean --concurrency of `mensura run`?"),
        (("compare", "last", "last", "--limit", "3"), 2, "--limit is an option of `mensura run`"),
        (("export", "last", "--output", "x"), 2, "`mensura export` has no option --output."),
        (("study", "run", "plan.yaml", "--sesions", "3"), 2, "Did you mean --sessions of `mensura run`?"),
        (("evaluate", "coin"), 2, "Here that is `mensura run TEST --as SUBJECT`."),
        (("runs",), 2, "Here that is `mensura list runs`."),
        (("coin",), 2, "coin is a test: `mensura take coin --as human`"),
        (("comprae",), 2, "Did you mean compare?"),
        (("generate", "coin"), 1, "coin makes no files: its questions are drawn when it is taken. `mensura take coin"),
        (("show", "coin"), 1, "coin is a test: `mensura list coin` shows it, and `mensura list runs coin` its runs."),
        (("list", "coin-48f47044"), 1, "names a run: `mensura show coin-48f47044`."),
        (("run", "coin", "chance"), 1, "who takes a test is given by --as SUBJECT"),
    ],
)
def test_what_is_not_there_is_answered_with_the_nearest_right_thing(mensura, words, status, sentence):
    done = mensura(*words)
    assert done.status == status
    assert sentence in done.err
    assert "Traceback" not in done.err


def test_what_is_offered_for_the_words_of_other_tools_exists(mensura):
    """Verbs and options that are named as ours are ours."""
    import re

    verbs = {said.split()[0] for said in OTHER_VERBS.values()}
    assert all(f"\n  {verb} " in mensura("--help").out for verb in verbs - {"--version"})
    options = {found for said in OTHER_TOOLS.values() for found in re.findall(r"--[a-z-]+", said)}
    helped = mensura("run", "--help").out + mensura("export", "--help").out
    assert not {option for option in options if option not in helped}


def test_a_run_that_is_not_over_says_how_many_sessions_are_left_in_plain_words(mensura, monkeypatch):
    from mensura.store.log.sessions import Sessions

    counted = Sessions.count
    monkeypatch.setattr(Sessions, "count", lambda *given: {**counted(*given), "open": 1})
    done = mensura("run", "coin", "--as", "chance")
    assert "Next, to resume 1 unfinished session: mensura resume " in done.err
