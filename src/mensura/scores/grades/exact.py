"""Exact: an answer that is word for word what is right, apart from what is said to be ignored."""

import re
import string
import unicodedata
from collections.abc import Sequence

IGNORABLE = ("case", "spaces", "punctuation", "articles")
USUAL = ("case", "spaces")
ARTICLES = re.compile(r"\b(a|an|the)\b")
PUNCTUATION = str.maketrans("", "", string.punctuation)


def exact(answer: str, truth: str, *, ignore: Sequence[str] = USUAL) -> dict[str, float]:
    """Return 1 where an answer is the same text as the truth, else 0; larger is better.

    Parameters
    ----------
    answer, truth : str
        The two texts.
    ignore : sequence of str
        What makes no difference: "case", "spaces" (at the ends, and how many between words), "punctuation" (that of
        ASCII) and "articles" (a, an, the). With all four this is the normalisation of SQuAD [1]_.

    References
    ----------
    .. [1] Rajpurkar, Zhang, Lopyrev and Liang (2016), SQuAD, EMNLP, 2383-2392; the official evaluation script.

    Examples
    --------
    >>> exact("  new york", "New York"), exact("The Beatles!", "beatles", ignore=("case", "punctuation", "articles"))
    ({'accuracy': 1.0}, {'accuracy': 1.0})
    """
    return {"accuracy": float(normalised(answer, ignore=ignore) == normalised(truth, ignore=ignore))}


def normalised(text: str, *, ignore: Sequence[str] = USUAL) -> str:
    """Return a text without what is ignored; letters with accents are one sign however they were typed.

    >>> normalised("  The  Cat's pyjamas. ", ignore=IGNORABLE)
    'cats pyjamas'
    """
    text = unicodedata.normalize("NFC", text)
    if "case" in ignore:
        text = text.lower() if "articles" in ignore else text.casefold()
    if "punctuation" in ignore:
        text = text.translate(PUNCTUATION)
    if "articles" in ignore:
        text = ARTICLES.sub(" ", text)
    # Taking out articles leaves gaps behind, which nobody typed.
    return " ".join(text.split()) if "spaces" in ignore or "articles" in ignore else text
