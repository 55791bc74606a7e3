"""Naming: what tells runs apart where several stand side by side."""

from collections.abc import Sequence

from mensura.store.head import RunHead


def labels_of(heads: Sequence[RunHead]) -> list[str]:
    """Name runs by their cells in a study, else by their subjects, and by condition and id where that is not enough."""
    cells = [str(head.details.get("cell", "")) for head in heads]
    if all(cells) and len(set(cells)) == len(cells):
        return cells
    subjects = [" against ".join(head.who) for head in heads]
    return [_label(place, heads, subjects) for place in range(len(heads))]


def _label(place: int, heads: Sequence[RunHead], subjects: Sequence[str]) -> str:
    head, label = heads[place], subjects[place]
    alike = [other for other, subject in zip(heads, subjects, strict=True) if subject == label]
    if len(alike) > 1 and head.condition:
        label = f"{label}, {head.condition}"
        alike = [other for other in alike if other.condition == head.condition]
    return label if len(alike) == 1 else f"{label} ({head.id})"
