"""GIF: moving pictures of few colours, written without any other package (GIF89a, W3C 1990)."""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from mensura.catalog.lambda_star.film.picture import PALETTE, Picture

MOST_CODES = 4096


def write_gif(frames: Sequence[Picture], path: str | Path, *, seconds: float = 0.2) -> None:
    """Write frames, arrays of numbers into the palette, as a GIF that repeats for ever.

    Each frame after the first holds only the rectangle that changed.
    """
    Path(path).write_bytes(encode_gif(frames, seconds=seconds))


def encode_gif(frames: Sequence[Picture], *, seconds: float) -> bytes:
    """Return a GIF as bytes."""
    height, width = frames[0].shape
    bits = max(2, (len(PALETTE) - 1).bit_length())
    colours = b"".join(bytes(colour) for colour in PALETTE).ljust(3 * 2**bits, b"\0")
    head = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80 | (bits - 1), 0, 0) + colours
    repeat = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    parts = [head, repeat]
    shown: Picture | None = None
    for number, frame in enumerate(frames):
        # The last frame stays a little longer, so that one sees where it ends.
        hundredths = round(100 * seconds * (4 if number == len(frames) - 1 else 1))
        top, left, part = _changed(shown, frame)
        parts.append(b"\x21\xf9\x04\x04" + struct.pack("<HBB", hundredths, 0, 0))
        parts.append(b"\x2c" + struct.pack("<HHHHB", left, top, part.shape[1], part.shape[0], 0))
        parts.append(bytes([bits]) + _blocks(_compress(part.ravel().tolist(), bits)))
        shown = frame
    return b"".join([*parts, b"\x3b"])


def _changed(before: Picture | None, after: Picture) -> tuple[int, int, Picture]:
    if before is None:
        return 0, 0, after
    rows = np.flatnonzero((before != after).any(axis=1))
    columns = np.flatnonzero((before != after).any(axis=0))
    if not len(rows):
        return 0, 0, after[:1, :1]
    return int(rows[0]), int(columns[0]), after[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _compress(pixels: list[int], bits: int) -> bytes:
    """Compress by Lempel, Ziv and Welch with codes of growing length, lowest bit first."""
    packed, held, filled = bytearray(), 0, 0
    for code, length in _codes(pixels, bits):
        held |= code << filled
        filled += length
        while filled >= 8:
            packed.append(held & 255)
            held >>= 8
            filled -= 8
    if filled:
        packed.append(held)
    return bytes(packed)


def _codes(pixels: list[int], bits: int) -> Iterator[tuple[int, int]]:
    clear, stop = 2**bits, 2**bits + 1
    known: dict[tuple[int, int], int] = {}
    following, length = stop + 1, bits + 1
    yield clear, length
    prefix = pixels[0]
    for pixel in pixels[1:]:
        pair = (prefix, pixel)
        if pair in known:
            prefix = known[pair]
            continue
        yield prefix, length
        prefix = pixel
        if following < MOST_CODES:
            known[pair] = following
            if following == 1 << length:
                length += 1
            following += 1
        else:
            yield clear, length
            known = {}
            following, length = stop + 1, bits + 1
    yield prefix, length
    yield stop, length


def _blocks(content: bytes) -> bytes:
    parts = [content[start : start + 255] for start in range(0, len(content), 255)]
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\0"
