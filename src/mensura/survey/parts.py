"""Parts: what questionnaires, rubrics and scales written as data may hold."""

from collections.abc import Iterable, Sequence

from mensura.errors import BadParameter, unknown


def check_parts(given: Iterable[object], allowed: Sequence[str], what: str, *, see: str = "") -> None:
    """Raise the nearest names for a part that there is not."""
    for name in given:
        if name not in allowed:
            raise unknown(f"part of a {what}", str(name), known=allowed, see=see or f"Parts are {', '.join(allowed)}.")


def check_keys(keys: Sequence[str], what: str) -> None:
    """Raise a sentence where two items have one key."""
    if twice := {key for key in keys if keys.count(key) > 1}:
        raise BadParameter(f"Two items of the {what} have the key {sorted(twice)[0]!r}.")
