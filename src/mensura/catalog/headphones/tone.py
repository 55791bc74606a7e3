"""Tones for the headphone check, as WAV: in phase, quieter, or with one channel turned round."""

from io import BytesIO
from wave import open as open_wave

import numpy as np
from numpy.typing import NDArray

RATE = 8000
FREQUENCY = 200.0
SECONDS, RAMP, GAP = 0.7, 0.1, 0.3
LOUD = 0.5
QUIET = LOUD * 10 ** (-6 / 20)
"""Six decibels less."""


def sequence(kinds: list[str], rng: np.random.Generator) -> bytes:
    """Return three tones one after the other, each "loud", "quiet" or "turned", as a WAV of two channels."""
    silence = np.zeros((round(GAP * RATE), 2))
    parts = [part for kind in kinds for part in (tone(kind, phase=rng.random()), silence)][:-1]
    samples = np.rint(np.concatenate(parts) * 32767).astype("<i2")
    written = BytesIO()
    with open_wave(written, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return written.getvalue()


def tone(kind: str, *, phase: float) -> NDArray[np.float64]:
    """Return one tone with soft ends, a column for each ear.

    >>> float(abs(tone("turned", phase=0.2).sum(axis=1)).max())
    0.0
    """
    time = np.arange(round(SECONDS * RATE)) / RATE
    ends = np.minimum(1, np.minimum(time, time[::-1]) / RAMP)
    wave = np.sin(2 * np.pi * (FREQUENCY * time + phase)) * np.sin(np.pi / 2 * ends) ** 2
    left = wave * (QUIET if kind == "quiet" else LOUD)
    return np.column_stack([left, -left if kind == "turned" else left])
