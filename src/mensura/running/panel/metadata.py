"""Metadata of pictures: authors, dates and programs that a file carries unseen, taken out before anyone rates it."""

import re
from struct import unpack

PNG = b"\x89PNG\r\n\x1a\n"
PNG_UNSEEN = (b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME")
SVG_UNSEEN = re.compile(r"<!--.*?-->|<metadata\b.*?</metadata>|<metadata\b[^>]*/>|<\?(?!xml\b).*?\?>", re.S | re.I)
SVG_EDITOR = re.compile(r"\s(?:inkscape|sodipodi):[\w-]+\s*=\s*(?:\"[^\"]*\"|'[^']*')", re.I)


def without_metadata(picture: bytes, *, media_type: str) -> bytes:
    """Return the picture without what it says beside itself; what is drawn stays as it is."""
    if media_type == "image/png" and picture.startswith(PNG):
        return _png(picture)
    if media_type == "image/jpeg" and picture.startswith(b"\xff\xd8"):
        return _jpeg(picture)
    if media_type == "image/svg+xml":
        return SVG_EDITOR.sub("", SVG_UNSEEN.sub("", picture.decode("utf-8", "replace"))).encode()
    return picture


def _png(picture: bytes) -> bytes:
    kept, place = [PNG], len(PNG)
    while place + 12 <= len(picture):
        (size,) = unpack(">I", picture[place : place + 4])
        chunk = picture[place : place + 12 + size]
        if chunk[4:8] not in PNG_UNSEEN:
            kept.append(chunk)
        place += len(chunk)
        if chunk[4:8] == b"IEND":
            break
    return b"".join(kept)


def _jpeg(picture: bytes) -> bytes:
    kept, place = [picture[:2]], 2
    while place + 4 <= len(picture) and picture[place] == 0xFF and picture[place + 1] != 0xDA:
        marker = picture[place + 1]
        (size,) = unpack(">H", picture[place + 2 : place + 4])
        # APP1 and up hold EXIF, XMP and the like, FE a comment; E0 and EE say how colours are to be read.
        unseen = (0xE1 <= marker <= 0xEF and marker != 0xEE) or marker == 0xFE
        if not unseen:
            kept.append(picture[place : place + 2 + size])
        place += 2 + size
    kept.append(picture[place:])
    return b"".join(kept)
