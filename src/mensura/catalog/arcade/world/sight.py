"""What an agent sees: pictures made small by areas."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

SIDE = 84
CROP_TOP = 18
"""Where 84 rows are cut from 110, as the programs of 2013 to 2016 did: the score above is left out."""


@cache
def shrinking(longer: int, shorter: int) -> NDArray[np.float32]:
    """Return the matrix that makes a line shorter: each new point is the mean of the stretch it covers.

    >>> shrinking(4, 2)
    array([[0.5, 0.5, 0. , 0. ],
           [0. , 0. , 0.5, 0.5]], dtype=float32)
    """
    edges = np.arange(shorter + 1) * (longer / shorter)
    low = np.maximum(edges[:-1, None], np.arange(longer))
    high = np.minimum(edges[1:, None], np.arange(1, longer + 1))
    found: NDArray[np.float32] = (np.maximum(high - low, 0) * (shorter / longer)).astype(np.float32)
    return found


def matrices(height: int, width: int, sight: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return what a picture is multiplied with, from the left and from the right, to be what is seen."""
    if sight == "84x110-cropped":
        rows = shrinking(height, 110)[CROP_TOP : CROP_TOP + SIDE]
    else:
        rows = shrinking(height, SIDE)
    return rows, np.ascontiguousarray(shrinking(width, SIDE).T)


def shrink(picture: NDArray[np.uint8], sight: str = "84x84") -> NDArray[np.uint8]:
    """Return a grey picture as 84 × 84 points."""
    small = average(picture, *_pieces(*picture.shape, sight))
    seen: NDArray[np.uint8] = np.clip(np.rint(small), 0, 255).astype(np.uint8)
    return seen


Pieces = tuple[NDArray[np.intp], NDArray[np.float32]]
"""Of each new point the old ones that it covers, one of them a row, and their shares."""


def average(picture: NDArray[np.uint8], rows: Pieces, columns: Pieces) -> NDArray[np.float32]:
    """Return the means of areas.

    Each new point covers a few old ones, so that taking these is faster than multiplying with whole matrices; that
    also keeps every core waiting for the next picture.
    """
    found = picture.astype(np.float32)
    for (places, shares), along in ((rows, 0), (columns, 1)):
        parts = zip(places, shares[:, :, None] if along == 0 else shares[:, None], strict=True)
        found = np.add.reduce([found.take(place, axis=along) * share for place, share in parts])
    return found


@cache
def pieces_of(longer: int, shorter: int, first: int = 0, count: int | None = None) -> Pieces:
    """Return what new points cover, from the first so many of them.

    >>> pieces_of(4, 2)[0].T.tolist()
    [[0, 1], [2, 3]]
    """
    wanted = shrinking(longer, shorter)[first : None if count is None else first + count]
    most = int((wanted > 0).sum(axis=1).max())
    places = np.argsort(wanted == 0, axis=1, kind="stable")[:, :most].T
    return places, np.take_along_axis(wanted, places.T, axis=1).T


@cache
def _pieces(height: int, width: int, sight: str) -> tuple[Pieces, Pieces]:
    cropped = sight == "84x110-cropped"
    rows = pieces_of(height, 110, CROP_TOP, SIDE) if cropped else pieces_of(height, SIDE)
    return rows, pieces_of(width, SIDE)
