"""`mensura power` says how many, how likely and how little, in words, as JSON and as a picture."""

import json

import pytest
from click.testing import CliRunner
from scipy.stats import binom

from mensura.cli.results.power import command
from mensura.errors import BadData, BadFile, BadParameter


def call(*arguments):
    return CliRunner().invoke(command, arguments, catch_exceptions=False)


def test_a_stated_spread_gives_the_number_that_is_needed():
    # Notes on the RADAR Test: 139 per cell for 80 % power at a difference of .027 with sd .08.
    assert json.loads(call("--difference", "0.027", "--sd", "0.08", "--json").stdout)["n"] == 139


def test_a_number_gives_its_power():
    found = json.loads(call("--difference", "0.05", "--sd", "0.08", "-n", "30", "--json").stdout)
    assert found["power"] == pytest.approx(0.66, abs=0.005)


def test_a_number_without_a_difference_gives_what_it_can_find():
    found = json.loads(call("--sd", "0.08", "-n", "30", "--json").stdout)
    assert found["difference"] == pytest.approx(0.059, abs=0.0005)
    assert found["power"] == pytest.approx(0.8)


def test_pairs_are_counted_as_pairs():
    said = call("--difference", "0.05", "--sd", "0.08", "--paired").stdout
    assert said.startswith("With 23 pairs and a standard deviation of the differences of 0.08")


def test_a_picture_is_drawn(tmp_path):
    call("--difference", "0.05", "--sd", "0.08", "--picture", str(tmp_path / "power.svg"))
    drawn = (tmp_path / "power.svg").read_text()
    assert drawn.startswith("<svg")
    assert "observations per group" in drawn


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--difference", "1"], "how much scores spread"),
        (["--sd", "1"], "what to plan"),
        (["--sd", "1", "--pilot", "a", "b"], "and not both"),
        (["--pilot", "a", "b"], "State the difference"),
    ],
)
def test_what_is_missing_is_asked_for(arguments, words):
    with pytest.raises(BadParameter, match=words):
        call(*arguments)


def test_a_picture_that_cannot_be_written_is_said_in_a_sentence(tmp_path):
    with pytest.raises(BadFile, match=r"cannot be written .*give another place"):
        call("--difference", "0.05", "--sd", "0.08", "--picture", str(tmp_path / "missing" / "power.svg"))


@pytest.mark.parametrize("sd", ["0.1", "1", "10"])
def test_a_difference_too_small_to_plan_for_is_refused_in_a_sentence(sd):
    with pytest.raises(BadData, match="too small to plan for"):
        call("--difference", "1e-12", "--sd", sd)


def test_a_share_below_a_bound_gives_the_trials_and_the_most_successes():
    # SciPy's exact tail sums: 22 of 39 is the largest count that .7 makes rarer than one in twenty.
    said = json.loads(call("--proportion", "0.5", "--below", "0.7", "--json").stdout)
    assert (said["n"], said["power"]) == (39, pytest.approx(binom.cdf(22, 39, 0.5)))
    assert binom.cdf(22, 39, 0.7) < 0.05 <= binom.cdf(23, 39, 0.7)
    assert "at most 22" in call("--proportion", "0.5", "--below", "0.7").stdout


def test_a_share_above_its_bound_is_refused_in_a_sentence():
    with pytest.raises(BadData, match="can only be shown below a bound"):
        call("--proportion", "0.8", "--below", "0.7")
