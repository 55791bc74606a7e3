"""Screening masks names and takes metadata out of pictures."""

from base64 import b64decode, b64encode
from struct import pack
from zlib import compress, crc32

from mensura.running.panel import screen
from mensura.running.panel.metadata import without_metadata


def chunk(kind: bytes, body: bytes) -> bytes:
    return pack(">I", len(body)) + kind + body + pack(">I", crc32(kind + body))


def png(*extra: bytes) -> bytes:
    head = chunk(b"IHDR", pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(extra) + chunk(b"IDAT", compress(b"\0\0")) + chunk(b"IEND", b"")


def picture(content: bytes, media_type: str) -> dict:
    return {"kind": "image", "media_type": media_type, "data": b64encode(content).decode()}


def test_whole_words_are_masked_whatever_their_case():
    text = {"kind": "text", "text": "Ada Lovelace, ada, ADA! Adam and Canada stay."}
    screened, report = screen({"KTR": text}, mask=["Ada", "Ada Lovelace"])
    assert screened["KTR"]["text"] == "[masked], [masked], [masked]! Adam and Canada stay."
    assert report.masked == {"KTR": {"Ada Lovelace": 1, "Ada": 2}}
    assert report.sentence == "Masked 3 names or terms in 1 artefacts."


def test_terms_with_signs_of_regular_expressions_are_taken_as_they_are():
    screened, _ = screen({"K": {"kind": "text", "text": "write to a.b+c@x.org (now)"}}, mask=["a.b+c@x.org", "(now)"])
    assert screened["K"]["text"] == "write to [masked] [masked]"


def test_a_png_loses_its_author_and_keeps_its_pixels():
    named = png(chunk(b"tEXt", b"Author\0Ada"), chunk(b"eXIf", b"MM\0*"))
    assert without_metadata(named, media_type="image/png") == png()


def test_a_jpeg_loses_its_comment_and_keeps_the_rest():
    start, frame, scan = b"\xff\xd8", b"\xff\xdb\x00\x04\x01\x02", b"\xff\xda\x00\x02data\xff\xd9"
    named = start + b"\xff\xe1\x00\x07Exif\0" + b"\xff\xfe\x00\x05Ada" + frame + scan
    assert without_metadata(named, media_type="image/jpeg") == start + frame + scan


def test_a_drawing_loses_comments_metadata_and_masked_words():
    svg = b"<svg inkscape:label='Ada'><!-- by Ada --><metadata><a>Ada</a></metadata><text>Ada drew</text></svg>"
    screened, report = screen({"K": picture(svg, "image/svg+xml")}, mask=["ada"])
    assert b64decode(screened["K"]["data"]) == b"<svg><text>[masked] drew</text></svg>"
    assert report.cleaned == ("K",)
    assert report.unread == ()


def test_pictures_of_pixels_are_named_as_not_screened_for_words():
    _, report = screen({"K": picture(png(), "image/png")}, mask=["Ada"])
    assert report.unread == ("K",)
    assert "look at K" in report.sentence
