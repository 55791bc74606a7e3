"""Letters: the options of a choice as A, B, C ..., answered by a letter or by log-probabilities of letters."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from string import ascii_uppercase

from mensura.dialogue.spaces.text import folded
from mensura.errors import BadParameter, Invalid

LEAST = 1e-6
"""The least weight of an option before all are scaled to sum to one: no option is impossible."""
AROUND = " \t\r\n\"'`*_.,:;()[]{}<>\u0120\u2581"
"""Signs around a letter that do not count; the last two stand for a space in what tokenizers print."""
ALONE = re.compile(r"[(\[]?([A-Za-z])[)\].:]?")
BEFORE = re.compile(r"[(\[]?([A-Za-z])[)\].:]\s*(\S.*)", re.DOTALL)


def letters_of(options: Sequence[str]) -> dict[str, str]:
    """Return the options by letter; nothing where letters would mislead: an option is itself the letter of another.

    >>> letters_of(["Rome", "Paris"]), letters_of(["B", "A"])
    ({'A': 'Rome', 'B': 'Paris'}, {})
    """
    if len(options) > len(ascii_uppercase):
        return {}
    lettered = dict(zip(ascii_uppercase, options, strict=False))
    misleads = any(lettered.get(option.strip().upper(), option) != option for option in options)
    return {} if misleads else lettered


def lettered(options: Sequence[str]) -> str:
    """List the options, one on each line behind its letter; behind a dash where letters would mislead.

    >>> print(lettered(["Rome", "Paris"]))
    A) Rome
    B) Paris
    """
    letters = letters_of(options)
    return "\n".join(f"{letter}) {option}" for letter, option in letters.items()) or "\n".join(
        f"- {option}" for option in options
    )


def read_option(text: str, options: Sequence[str]) -> str | None:
    """Return the option that a text names; None where it names none.

    It is the option itself, whatever its case and the signs around it; or its letter; or its letter with the option
    behind it. A letter with another option behind it names none.

    >>> options = ["Rome", "Paris"]
    >>> [read_option(text, options) for text in ("**paris**", "(b)", "B) Paris", "B) Rome", "neither")]
    ['Paris', 'Paris', 'Paris', None, None]
    """
    said = text.strip().strip("*_`").strip()
    for form in (str, lambda words: folded(words.strip(AROUND))):
        alike = [option for option in options if form(option) == form(said)]
        if len(alike) == 1:
            return alike[0]
    letters = letters_of(options)
    if found := ALONE.fullmatch(said):
        return letters.get(found[1].upper())
    if found := BEFORE.fullmatch(said):
        option = letters.get(found[1].upper())
        if option is not None and folded(found[2].strip(AROUND)) == folded(option.strip(AROUND)):
            return option
    return None


@dataclass(frozen=True)
class Lettered:
    """A distribution over options that was read from log-probabilities of their letters."""

    distribution: dict[str, float]
    listed: float
    """The probability of all tokens that are a letter of an option: how far the model kept to the form."""
    missing: float
    """The probability of all tokens that were not listed."""
    unlisted: tuple[str, ...]
    """Options none of whose tokens was listed; what they got comes from what is missing."""

    @property
    def words(self) -> str:
        """How it was read, in a sentence for the record."""
        said = f"Read from log-probabilities of letters: {self.listed:.3g} of the probability was on letters"
        if self.unlisted:
            said += f"; {', '.join(self.unlisted)} not listed, given a share of the {self.missing:.3g} that was not"
        return f"{said}."


def read_letters(tokens: Mapping[str, float] | Iterable[tuple[str, float]], *, options: Sequence[str]) -> Lettered:
    r"""Return the distribution over options that the likeliest tokens at the place of the letter tell.

    Tokens that differ only in case and in signs or spaces around the letter are one letter, and their probabilities
    are added. What was not listed, :math:`m = 1 - \sum p`, is shared evenly by the options that were not; none of them
    gets more than the least likely token of the list, for it would have been listed, and no option gets less than a
    millionth. Then all are scaled to sum to one.

    Parameters
    ----------
    tokens
        Token → natural logarithm of its probability, of the likeliest tokens at one place; pairs where a token may come
        twice.
    options
        The options in the order of their letters, at most 26.

    Raises
    ------
    Invalid
        If no letter of an option is among the tokens: the model did not answer by a letter.

    Examples
    --------
    >>> from math import log
    >>> read = read_letters({"A": log(0.5), " a": log(0.25), "B": log(0.15)}, options=["Rome", "Paris", "Bonn"])
    >>> {option: round(p, 3) for option, p in read.distribution.items()}
    {'Rome': 0.75, 'Paris': 0.15, 'Bonn': 0.1}
    >>> read.unlisted, round(read.missing, 3)
    (('Bonn',), 0.1)
    """
    if not 2 <= len(options) <= len(ascii_uppercase):
        raise BadParameter(f"Letters are for 2 to {len(ascii_uppercase)} options; got {len(options)}.")
    pairs = [(token, exp(min(0.0, logarithm))) for token, logarithm in _pairs(tokens) if logarithm == logarithm]
    letters = dict(zip(ascii_uppercase, options, strict=False))
    found: dict[str, float] = {}
    for token, probability in pairs:
        option = letters.get(token.strip(AROUND).upper())
        if option is not None:
            found[option] = found.get(option, 0.0) + probability
    if not found or not any(found.values()):
        raise Invalid(
            "No letter from A to {last} is among the tokens that the model found likely; got {got}.",
            last=ascii_uppercase[len(options) - 1],
            got=", ".join(repr(token) for token, _ in pairs[:5]) or "none",
        )
    listed = sum(found.values())
    missing = max(0.0, 1 - sum(probability for _, probability in pairs))
    unlisted = tuple(option for option in options if option not in found)
    share = min(missing / len(unlisted), min(probability for _, probability in pairs)) if unlisted else 0.0
    weights = [max(found.get(option, share), LEAST) for option in options]
    whole = sum(weights)
    distribution = {option: weight / whole for option, weight in zip(options, weights, strict=True)}
    return Lettered(distribution, min(1.0, listed), missing, unlisted)


def _pairs(tokens: Mapping[str, float] | Iterable[tuple[str, float]]) -> Iterable[tuple[str, float]]:
    return tokens.items() if isinstance(tokens, Mapping) else tokens
