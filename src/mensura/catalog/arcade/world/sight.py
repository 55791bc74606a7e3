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
    height, width = picture.shape
    left, right = matrices(height, width, sight)
    small = left @ picture.astype(np.float32) @ right
    seen: NDArray[np.uint8] = np.clip(np.rint(small), 0, 255).astype(np.uint8)
    return seen
