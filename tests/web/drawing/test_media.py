"""Recordings on pages: played from addresses that tell nothing, in parts, as long as the file is what it was."""

import re
import wave
from pathlib import Path

import pytest

LISTENING = f"{Path(__file__).parents[1] / 'listening.py'}:listening"


@pytest.fixture
def folder(tmp_path):
    for name, size in (("a.wav", 80), ("b.wav", 160)):
        with wave.open(str(tmp_path / name), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(1)
            file.setframerate(8000)
            file.writeframes(bytes(size))
    return tmp_path


def test_a_recording_is_played_by_an_address_that_tells_nothing(visit, folder):
    person = visit(LISTENING, folder=str(folder))
    address = re.search(r'<audio controls preload="auto" src="(/media/[^"]+)" aria-label="a tone">', person.text)[1]
    preloaded = re.search(r'data-address="([^"]+)"', person.text)[1]
    assert str(folder) not in person.text
    assert "<strong>Ding.</strong>" in person.text
    sound = person.client.get(address)
    assert sound.headers["content-type"] == "audio/wav"
    assert sound.content == (folder / "a.wav").read_bytes()
    assert "media-src 'self' data:" in sound.headers["content-security-policy"]
    part = person.client.get(address, headers={"range": "bytes=0-3"})
    assert (part.status_code, part.content) == (206, b"RIFF")
    person.answer("3")
    assert f'src="{preloaded}"' in person.text
    assert str(folder) not in str(person.state)


def test_an_address_of_another_making_or_of_a_changed_file_leads_nowhere(visit, folder):
    person = visit(LISTENING, folder=str(folder))
    address = re.search(r'src="(/media/[^"]+)"', person.text)[1]
    for wrong in (address[:-3] + "AAA", "/media/x", "/media/" + "A" * 200):
        assert person.client.get(wrong).status_code == 404
    (folder / "a.wav").write_bytes(b"another")
    assert person.client.get(address).status_code == 404


def test_a_page_says_in_words_that_a_file_is_not_here():
    from mensura.web.drawing.prompt import show

    known = {"kind": "audio", "hash": "0" * 32, "media_type": "audio/wav", "words": "a tone", "transcript": ""}
    assert "its file is not on this server" in show(known)
