"""The options that confine programs and files."""

import re

import pytest

from mensura.subjects.sandbox.confinement import NOT_ISOLATED
from tests.subjects.boxes import needs_bubblewrap


@needs_bubblewrap
@pytest.mark.parametrize("option", ["--sandbox", "--sandbox=on", "--sandbox=auto"])
def test_show_says_that_it_ran_in_a_sandbox_and_the_run_needs_no_such_line(mensura, option):
    done = mensura("run", "./dice.py:dice", "--as", "./dice.py:one", option, "--network")
    assert "isolat" not in (done.out + done.err).lower()
    assert re.search("Isolation +in a sandbox .bubblewrap., with network", mensura("show").out)


def test_a_file_that_ran_without_a_sandbox_is_named_above_the_score(mensura):
    done = mensura("take", "./dice.py:dice", "--as", "./dice.py:one", "--sandbox=off")
    assert done.err.startswith("Not isolated: ./dice.py:one ran without a sandbox")
    assert "Leave out --sandbox=off to isolate it." in done.err
    assert re.search("Isolation +not isolated", mensura("show").out)


def test_where_bubblewrap_is_missing_the_line_says_how_to_install_it(mensura, monkeypatch):
    monkeypatch.setattr("mensura.subjects.sandbox.sandbox._works", lambda means: means == NOT_ISOLATED)
    monkeypatch.setattr("mensura.cli.printing.which", lambda name: None)
    done = mensura("run", "./dice.py:dice", "--as", "team:vote(./dice.py:one,chance)")
    first = done.err.splitlines()[0]
    assert first.startswith("Not isolated: ")
    assert first.endswith("To isolate it (Linux only): apt install bubblewrap")


def test_a_subject_that_is_built_in_needs_no_word_on_its_isolation(mensura):
    done = mensura("run", "coin", "--as", "chance")
    assert "isolat" not in (done.out + done.err).lower()


def test_what_cannot_be_put_into_a_sandbox_or_opened_is_one_sentence(mensura):
    done = mensura("run", "coin", "--as", "os:getcwd", "--sandbox")
    assert done.status == 1
    assert "shares our memory, so no sandbox can hold it" in done.err
    done = mensura("run", "coin", "--as", "chance", "--allow", "/nonesuch")
    assert "--allow /nonesuch: there is no such file or folder." in done.err
