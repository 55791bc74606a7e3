"""What was done in every frame, short enough to stand in a record: the frames themselves are recomputed from it."""

import zlib
from base64 import b64decode, b64encode

from mensura.errors import BadData

MOST_ACTION = 17


def pack(done: bytes) -> str:
    """Write the action of every frame as a short text.

    >>> unpack(pack(bytes([0, 0, 3, 3, 3])))
    b'\\x00\\x00\\x03\\x03\\x03'
    """
    return b64encode(zlib.compress(done, 9)).decode()


def unpack(text: str) -> bytes:
    """Read what `pack` wrote."""
    try:
        done = zlib.decompress(b64decode(text, validate=True))
    except (ValueError, zlib.error):
        raise BadData("The actions of an episode cannot be read; was its record changed?") from None
    if done and max(done) > MOST_ACTION:
        raise BadData(f"The actions of an episode lie from 0 to {MOST_ACTION}; got {max(done)}.")
    return done
