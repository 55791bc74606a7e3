"""What is no sentence of a text: citations, equations, addresses of pages."""

import re

YEAR = r"(?:1[89]|20)\d\d[a-z]?"
CITATIONS = (
    re.compile(r"\s?\[\s*\d+(?:\s*[-–,;]\s*\d+)*\s*\]"),
    re.compile(rf"\s?\((?:(?:see|cf\.|e\.g\.,?)\s+)?[A-Z][^()]{{0,120}}?,?\s{YEAR}(?:\s*[;,][^()]{{0,160}})?\)"),
    re.compile(rf"\s?\({YEAR}\)"),
)
EQUATIONS = (
    re.compile(r"\$\$.+?\$\$|\\\[.+?\\\]|\\begin\{(equation|align|eqnarray)\*?\}.+?\\end\{\1\*?\}", re.DOTALL),
    re.compile(r"(?<![\\\w$])\$(?=[^\s$\d]|\d[^\s.,]*[=^_\\])[^$\n]{1,200}?(?<=[^\s\\])\$(?!\d)"),
    re.compile(r"\\\(.+?\\\)"),
)
ADDRESS = re.compile(r"<?https?://\S+>?|\bwww\.\S+")
SIGNS = frozenset("=+−*/^_∑∫√≤≥≠≈∈∀∃→←×·∂∇{}|<>")
GREEK = re.compile("[α-ωΑ-Ω]")


def clean(text: str) -> str:
    r"""Return a text without citations, equations and addresses.

    >>> clean("Filters are slow [3, 4] (Adams et al., 2009). Let $x^2 = y$ be small.")
    'Filters are slow. Let be small.'
    """
    for pattern in EQUATIONS:
        text = pattern.sub(" ", text)
    for pattern in CITATIONS:
        text = pattern.sub("", text)
    text = ADDRESS.sub(" ", text)
    lines = [line for line in text.splitlines() if not _is_equation(line)]
    return re.sub(r"[ \t]{2,}", " ", "\n".join(lines)).strip()


def _is_equation(line: str) -> bool:
    """Return whether a line has a sign of an equation and hardly a word."""
    words = re.findall(r"[A-Za-z]{3,}", line)
    return len(words) <= 2 and ((bool(SIGNS & set(line)) and "=" in line) or bool(GREEK.search(line) and "=" in line))
