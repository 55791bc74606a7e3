"""The headphone check: a quiet tone, and one that cancels in the air; five in six must be found."""

from io import BytesIO
from wave import open as open_wave

import numpy as np
import pytest

from mensura.catalog.headphones.dialogue import headphones
from mensura.catalog.headphones.tone import FREQUENCY, sequence, tone
from mensura.errors import BadParameter
from mensura.running.take import take


def loudness(samples):
    return float(np.sqrt(np.mean(samples**2)))


def heard(content):
    """Return the tones of a WAV, each with a column for each ear."""
    with open_wave(BytesIO(content)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (2, 2, 8000)
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2) / 32767
    return [samples[start : start + 5600] for start in (0, 8000, 16000)]


def test_the_quiet_tone_is_six_decibels_down_and_the_turned_one_cancels():
    loud, quiet, turned = heard(sequence(["loud", "quiet", "turned"], np.random.default_rng(1)))
    assert 20 * np.log10(loudness(quiet[:, 0]) / loudness(loud[:, 0])) == pytest.approx(-6, abs=0.05)
    assert loudness(turned[:, 1]) == pytest.approx(loudness(loud[:, 1]), rel=0.01)
    assert loudness(turned.sum(axis=1)) < 1e-4
    strongest = np.argmax(abs(np.fft.rfft(loud[:, 0]))) * 8000 / len(loud)
    assert strongest == pytest.approx(FREQUENCY, abs=2)
    assert abs(tone("loud", phase=0.3)[[0, -1]]).max() < 0.01


@pytest.mark.parametrize(("right", "passed"), [(6, 1), (5, 1), (4, 0), (0, 0)])
def test_someone_with_ears_finds_the_quiet_tone_and_five_in_six_pass(right, passed):
    done = 0

    def listen(ask):
        nonlocal done
        done += 1
        order = np.argsort([loudness(part[:, 0]) for part in heard(ask.prompt[0].content)])
        return str(order[0 if done <= right else 1] + 1)

    taken = take(headphones, listen, seed=3)
    scores = headphones.score(taken.record, taken.truths)
    assert scores["accuracy"].values.sum() == right
    assert scores["passed"] == passed


def test_no_trials_are_refused():
    with pytest.raises(BadParameter, match="--trials is at least 1; got 0"):
        take(headphones, lambda ask: "1", seed=1, parameters={"trials": 0})
