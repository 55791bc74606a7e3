"""A test that plays recordings and a film, and fetches the next recording while the first is answered."""

import os
from pathlib import Path

from mensura.dialogue import Ask, Audio, Number, Preload, Video, test

CAPTIONS = "WEBVTT\n\n00:00.000 --> 00:02.000\nA bell rings."


@test("listening-v1")
def listening(rng, *, folder: str = ""):
    """Listen and watch."""
    first, second = (Audio(Path(folder) / name, "a tone", transcript="**Ding.**") for name in ("a.wav", "b.wav"))
    yield Ask([first, Preload([second]), "How loud?"], Number(), key="first")
    yield Ask([second, "How loud?"], Number(), key="second")
    os.remove(Path(folder) / "a.wav")
    yield Ask([Video(b"nonsense", "a walk", media_type="video/webm", captions=CAPTIONS), "How long?"], Number())
