"""The options that confine programs and files."""

import pytest

from tests.subjects.boxes import needs_bubblewrap


@needs_bubblewrap
@pytest.mark.parametrize("option", ["--sandbox", "--sandbox=on", "--sandbox=auto"])
def test_the_table_says_that_it_ran_in_a_sandbox(mensura, option):
    done = mensura("run", "./dice.py:dice", "--as", "./dice.py:one", option, "--network")
    assert "Isolation: in a sandbox (bubblewrap), with network." in done.err


def test_the_table_says_that_it_was_not_isolated(mensura):
    done = mensura("take", "./dice.py:dice", "--as", "./dice.py:one", "--sandbox=off")
    assert "Isolation: not isolated." in done.err


def test_what_cannot_be_put_into_a_sandbox_or_opened_is_one_sentence(mensura):
    done = mensura("run", "coin", "--as", "os:getcwd", "--sandbox")
    assert done.status == 1
    assert "shares our memory, so no sandbox can hold it" in done.err
    done = mensura("run", "coin", "--as", "chance", "--allow", "/nonesuch")
    assert "--allow /nonesuch: there is no such file or folder." in done.err
