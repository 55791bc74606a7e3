"""Percents as people write shares: 60, 60 % and 12,5. Programs write shares from 0 to 1; both may round."""

import re
from collections.abc import Mapping, Sequence

from mensura.dialogue.spaces.base import shown
from mensura.errors import Invalid
from mensura.phrase import joined, phrase

# pages/percent.js reads the same; one table of texts tests both.
WRITTEN = re.compile(r"[+]?(-?)([0-9]+[.,]?[0-9]*|[.,][0-9]+)[ \t\xa0\u202f]*(%|per ?cent|)", re.IGNORECASE)
WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Full-width digits and signs, as keyboards of East Asian languages write them."""
ROUNDING = 0.02
"""How far the sum of rounded percents may be off one: two points."""


def read_percent(text: str, what: str = phrase("A probability")) -> float:
    """Return the share that a person wrote as a percent; 0.6 without the sign is asked back, not guessed.

    >>> read_percent("60"), read_percent("12,5 %"), read_percent("0.6 %"), read_percent("1")
    (0.6, 0.125, 0.006, 0.01)
    >>> read_percent("0.6")
    Traceback (most recent call last):
    mensura.errors.Invalid: Do you mean 0.6 % or 60 %? Write it with the sign.
    """
    found = WRITTEN.fullmatch(text.translate(WIDE).strip(" \t\xa0\u202f"))
    if found is None:
        raise Invalid("{what} is a percent, such as 60 or 12.5 %; got {got}.", what=what, got=shown(text))
    digits = found[2].replace(",", ".")
    number = float(digits)
    if number > 100 or (found[1] and number > 0):
        got = f"{found[1]}{digits[:20]}"
        raise Invalid("{what} lies between 0 % and 100 %; got {got} %.", what=what, got=got)
    # A whole 1 is 1 %, but 1.0 is how programs write certainty.
    if 0 < number <= 1 and "." in digits and not found[3]:
        few, many = f"{number:g}", f"{100 * number:g}"
        raise Invalid("Do you mean {few} % or {many} %? Write it with the sign.", few=few, many=many)
    # Read anew, for 99.999 / 100 is not the nearest number to 0.99999.
    return float(f"{digits}e-2")


def read_shares(texts: Mapping[str, str], *, whole: float = 1.0) -> dict[str, float]:
    """Return what percents are of a whole; people round, so a sum from 98 to 102 % is scaled to 100 %.

    An empty text is 0 %. All that must be asked back is asked at once.

    >>> read_shares({"a": "60", "b": "40 %"})
    {'a': 0.6, 'b': 0.4}
    >>> read_shares({"a": "33", "b": "33", "c": "33"}, whole=3)
    {'a': 1.0, 'b': 1.0, 'c': 1.0}
    """
    shares, faults = {}, []
    for name, text in texts.items():
        try:
            shares[name] = read_percent(text or "0", phrase("A share"))
        except Invalid as wrong:
            faults.append(phrase("{name}: {wrong}", name=name, wrong=wrong.said))
    if faults:
        raise Invalid(joined(faults))
    total = sum(shares.values())
    if abs(total - 1) > ROUNDING + 1e-9:
        raise Invalid(
            "Together they must be 100 %; they are {sum} %. 98 to 102 is taken as 100.", sum=f"{100 * total:.6g}"
        )
    scale = whole if abs(total - 1) <= 1e-6 else whole / total
    return {name: round(share * scale, 12) for name, share in shares.items()}


def scale_to(whole: float, amounts: Sequence[float], *, percent: bool) -> list[float]:
    """Return amounts that a program or a model gave, scaled to their whole; it may round as people may.

    What is said in percent may sum to 1 or to 100, whatever the whole: the sum tells which.

    >>> scale_to(1, [0.49, 0.49], percent=True), scale_to(1, [60, 40], percent=True)
    ([0.5, 0.5], [0.6, 0.4])
    >>> scale_to(1, [1e308] * 4, percent=True)
    Traceback (most recent call last):
    mensura.errors.Invalid: The amounts must sum to 1; they sum to inf.
    """
    total = sum(amounts)
    if abs(total - whole) <= 1e-6 * whole:
        return list(amounts)
    if any(abs(total / unit - 1) <= ROUNDING + 1e-9 for unit in ({whole, 1, 100} if percent else {whole})):
        return [amount * whole / total for amount in amounts]
    raise Invalid("The amounts must sum to {whole}; they sum to {sum}.", whole=f"{whole:g}", sum=f"{total:.6g}")


def split_percents(text: str) -> list[str]:
    """Split one line of numbers, with or without their signs.

    >>> split_percents("60 % 12,5; 27.5%")
    ['60%', '12,5', '27.5%']
    >>> split_percents("33.3, 33.3, 33.3")
    ['33.3', '33.3', '33.3']
    """
    return re.split(r"[,;]?\s+|;", re.sub(r"\s*(%|per ?cent)", "%", text.translate(WIDE).strip(), flags=re.IGNORECASE))
