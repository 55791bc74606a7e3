"""Lempel and Ziv's count, as their definition says it."""


def lempel_ziv_by_definition(sequence):
    """Count components by searching each candidate in the text before its last symbol, as the definition says.

    Slow, and what `lempel_ziv` is checked against.
    """
    symbols = list(sequence)
    components = 0
    start = 0
    while start < len(symbols):
        end = start + 1
        while end < len(symbols) and _occurs(symbols[start:end], symbols[: end - 1]):
            end += 1
        components += 1
        start = end
    return components


def _occurs(part, text):
    return any(text[i : i + len(part)] == part for i in range(len(text) - len(part) + 1))
