"""The language of patents in plain sentences: claims, said, wherein, comprising, reference numbers."""

import re

CLAIM = re.compile(r"^\s*\d{1,3}\s*[.)]\s+(?=An?\s|The\s|In\s|Apparatus|Method)", re.MULTILINE)
DEPENDS = re.compile(
    r",?\s*(?:according to|as claimed in|as recited in|as set forth in|as in|of|in accordance with)\s+"
    r"(?:any (?:one )?of\s+)?"
    r"(?:the preceding\s+)?claims?\s+\d+(?:\s*(?:to|-|–|or|and|,)\s*\d+)*",
    re.IGNORECASE,
)
CHANGES = (
    (re.compile(r"\b(?:the\s+)?(?:said|aforesaid|aforementioned)\s+(?=[a-z])", re.IGNORECASE), "the "),
    (re.compile(r"[,;]?\s*\b(?:and\s+)?where(?:in|by)\s+", re.IGNORECASE), ". "),
    (re.compile(r"[,;]?\s*\bcharacteri[sz]ed (?:in|by) that\s+", re.IGNORECASE), ". "),
    (re.compile(r",?\s+(?:comprising|including|consisting of|having)\s*:?\s+(?=an?\s|the\s|one|at)", re.IGNORECASE),
     " comprises "),
    (re.compile(r"\b(?:a|the) plurality of\b", re.IGNORECASE), "several"),
    (re.compile(r"\bat least one\b", re.IGNORECASE), "a"),
    (re.compile(r"\s*\(\s*\d{1,4}[a-z]?(?:\s*,\s*\d{1,4}[a-z]?)*\s*\)"), ""),
    (re.compile(r"(?<=[a-z])\s+\d{1,4}[a-z]?(?=\s+(?:is|are|has|of|to|and|for|in)\b|[,.;])"), ""),
)  # fmt: skip


def is_patent(text: str) -> bool:
    """Return whether a text speaks as patents do: numbered claims, and said, wherein or comprising."""
    numbered = len(CLAIM.findall(text))
    marks = len(re.findall(r"\bsaid\s+[a-z]+|\bwherein\b|\bcomprising\b|\bclaims?\s+\d", text, re.IGNORECASE))
    return numbered >= 1 and marks >= 2


def plain_patent(text: str) -> str:
    r"""Return claims as plain sentences: the thing claimed is named, and what it comprises is said of it.

    >>> plain_patent("1. A pump comprising a rotor (3) and a housing, wherein said rotor drives said housing.")
    'A pump comprises a rotor and a housing. the rotor drives the housing.'
    """
    text = CLAIM.sub("", text)
    text = re.sub(r"^\s*(?:what is claimed is|we claim|i claim|the invention claimed is)\s*:?\s*$", "", text,
                  flags=re.IGNORECASE | re.MULTILINE)  # fmt: skip
    text = DEPENDS.sub("", text)
    for pattern, instead in CHANGES:
        text = pattern.sub(instead, text)
    return re.sub(r"[ \t]{2,}", " ", text.replace(";", ".")).strip()
