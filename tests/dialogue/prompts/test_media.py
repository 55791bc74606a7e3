"""Recordings and films: by hash, never by name; in words for programs; refused in words where there is no file."""

import pytest

from mensura.dialogue import Audio, Preload, Video, prompt_data, prompt_text
from mensura.errors import BadFile


@pytest.fixture
def bell(tmp_path):
    path = tmp_path / "angry-bell.wav"
    path.write_bytes(b"RIFF0000WAVE")
    return path


def test_a_file_is_known_by_its_hash_and_its_name_stays_here(bell):
    data = prompt_data(Audio(bell, "a bell", transcript="Ding."))
    assert "angry" not in str(data)
    assert data["media_type"] == "audio/wav"
    copy = bell.with_name("copy.wav")
    copy.write_bytes(bell.read_bytes())
    assert prompt_data(Audio(str(copy), "a bell"))["hash"] == data["hash"]
    copy.write_bytes(b"RIFF0000WAVE more")
    assert prompt_data(Audio(copy, "a bell"))["hash"] != data["hash"]


def test_programs_and_models_get_it_in_words(bell):
    assert prompt_text(Audio(bell, "a bell", transcript="Ding.")) == "[Recording: a bell]\n\nDing."
    assert prompt_text(Video(b"x", "a walk", media_type="video/mp4")) == "[Film: a walk]"
    assert prompt_text(Preload([Audio(bell, "a bell")])) == ""


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda bell: Audio(bell.with_name("gone.wav"), "a bell"), r"There is no file .*gone\.wav to play \(a bell\)"),
        (lambda bell: Video(bell, "a walk"), r"is not one of \.mp4, \.webm, \.ogv"),
        (lambda bell: Audio(b"x", "a bell"), "Say what the bytes are"),
        (lambda bell: Audio(b"x" * 2_000_001, "a bell", media_type="audio/wav"), "too large for a page"),
        (lambda bell: Video(b"x", "a walk", media_type="video/mp4", captions="1\n00:00"), "not WebVTT"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(bell, make, words):
    with pytest.raises(BadFile, match=words):
        make(bell)
