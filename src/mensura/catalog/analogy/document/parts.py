"""Parts of a document by its headings, and the union of those that are wanted."""

import re
from collections.abc import Sequence

from mensura.errors import BadFile, UnknownName

KNOWN = (
    "abstract", "summary", "introduction", "background", "related work", "previous work", "motivation", "method",
    "methods", "approach", "materials and methods", "algorithm", "implementation", "experiments", "evaluation",
    "results", "discussion", "limitations", "conclusion", "conclusions", "future work", "conclusion and future work",
    "conclusions and future work", "outcome", "challenge", "claims", "description", "field of the invention",
    "acknowledgements", "acknowledgments", "references", "bibliography", "appendix",
)  # fmt: skip
"""Headings that are known in texts without marks for headings."""
LEFT_OUT = ("references", "bibliography", "acknowledgements", "acknowledgments")
NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[IVX]+\.)\s+")


def parts_of(text: str) -> list[tuple[str, str]]:
    """Return the parts of a text in order, each with the name of its heading in small letters, "" before the first."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in text.splitlines():
        bare = line.strip()
        name = heading_of(bare)
        if name:
            found.append((name, []))
            rest = _run_in(bare)
            if rest:
                found[-1][1].append(rest)
        else:
            found[-1][1].append(line)
    return [(name, "\n".join(lines).strip()) for name, lines in found if name or "\n".join(lines).strip()]


def heading_of(line: str) -> str:
    """Return the name of the heading that a line is, or that it begins with, as in "Abstract. We show"."""
    if line.startswith("#"):
        return NUMBER.sub("", line.lstrip("#").strip()).rstrip(".: ").lower()
    bare = NUMBER.sub("", line).rstrip(".: ").lower()
    if bare in KNOWN:
        return bare
    begun = re.match(r"^(abstract|summary)\s*(?:[.:-]\s+|[—–]\s*)\S", line, re.IGNORECASE)
    return begun.group(1).lower() if begun else ""


def _run_in(line: str) -> str:
    if line.startswith("#") or NUMBER.sub("", line).rstrip(".: ").lower() in KNOWN:
        return ""
    return re.split(r"[.:-]\s+|[—–]\s*", line, maxsplit=1)[-1]


def chosen_parts(text: str, names: Sequence[str], *, name: str, rhetoric: str = "") -> str:
    """Return the union of parts, in the order of the text; without names all but references and acknowledgements."""
    held = parts_of(text)
    if not names:
        return "\n\n".join(body for part, body in held if part not in LEFT_OUT)
    wanted = [one.strip().lower() for one in names]
    there = {part for part, _ in held if part}
    taken = [body for part, body in held if part in wanted]
    for one in wanted:
        if one not in there:
            taken.append(_by_category(text, one, name, there, rhetoric))
    found = "\n\n".join(body for body in taken if body)
    if not found.strip():
        raise BadFile(f"{name} has no text in the parts {', '.join(wanted)}.")
    return found


def _by_category(text: str, wanted: str, name: str, there: set[str], rhetoric: str) -> str:
    from mensura.catalog.analogy.graph.sentence import sentences
    from mensura.catalog.analogy.rhetoric.category import CATEGORIES, categorise

    category = wanted.replace("-", " ")
    if category not in CATEGORIES:
        held = f"its parts are {', '.join(sorted(there))}" if there else "it has no headings"
        raise UnknownName(f"{name} has no part {wanted!r}; {held}; categories are {', '.join(CATEGORIES)}.")
    body = "\n\n".join(part for heading, part in parts_of(text) if heading not in LEFT_OUT)
    held_sentences = sentences(body)
    labels = categorise(held_sentences, model=rhetoric)
    return " ".join(one for one, label in zip(held_sentences, labels, strict=True) if label == category)
