"""Sentences of a running text, and their words."""

import re

ABBREVIATED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|etc|e\.g|i\.e|vs|Fig|fig|al|cf|No|approx|[A-Z])\.$")
END = re.compile(r"(?<=[.!?])[\"”’')\]]*\s+|\n\s*\n|\n(?=\s*[-*•])")
WORD = re.compile(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*|\d+(?:[.,]\d+)*|[^\sA-Za-z\d]")


def sentences(text: str) -> list[str]:
    """Split a text into sentences: at full stops, question and exclamation marks, and empty lines.

    >>> sentences("Mr. Ray saw it. He left!  Why?")
    ['Mr. Ray saw it.', 'He left!', 'Why?']
    """
    found: list[str] = []
    for piece in END.split(text):
        words = " ".join(piece.split())
        if not words:
            continue
        if found and ABBREVIATED.search(found[-1]):
            found[-1] += f" {words}"
        else:
            found.append(words)
    return found


def tokens(sentence: str) -> list[str]:
    """Split a sentence into words, numbers and signs; a clitic belongs to its word, n't and 's are apart.

    >>> tokens("Karla's bow didn't break.")
    ['Karla', "'s", 'bow', 'did', "n't", 'break', '.']
    """
    found = []
    for word in WORD.findall(sentence.replace("’", "'")):
        lower = word.lower()
        if lower == "can't":
            found += [word[:2] + "n", "n't"]
        elif lower.endswith("n't") and len(word) > 3:
            found += [word[:-3], "n't"]
        elif "'" in word and lower.rpartition("'")[2] in ("s", "d", "m", "ll", "re", "ve"):
            before, _, after = word.rpartition("'")
            found += [before, f"'{after}"]
        else:
            found.append(word)
    return found
