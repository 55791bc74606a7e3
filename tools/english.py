"""Check the English of what people read: `python tools/english.py`, or `make english`.

Errors, help, docstrings, docs and pages are searched for phrases that plain English does without. Sentences that had
such phrases when the check was made are listed in `english-baseline.txt`, which may only become shorter; `--shrink`
removes from it what has been repaired.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
BASELINE = "tools/english-baseline.txt"
FOLDERS = ("src", "docs", "tools", "benchmarks", "examples")
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
# Other people's files, tests, and pages that quote the phrases: the glossary, and this check itself.
SKIPPED = {"vendor", "_build", "tests", "glossary.md", "english.py"}


class Rule(NamedTuple):
    """A phrase to avoid, and what to write instead."""

    phrase: str
    instead: str


class Sentence(NamedTuple):
    """A sentence that people read, and where it begins."""

    path: str
    line: int
    text: str
    opens: str = ""
    """What it is the docstring of, where it is the first sentence of one: "code" or "field"."""


class Hit(NamedTuple):
    """A sentence with a phrase to avoid."""

    sentence: Sentence
    phrase: str
    instead: str

    def __str__(self) -> str:
        path, line, text, _ = self.sentence
        return f"{path}:{line}: {text}\n    instead of {self.phrase!r}: {self.instead}"


_VERBS = "begin with a verb: Return, Yield, Check, Draw, Read, Write, Raise, or Print and List in help"
# How the docstring begins of a module, class or function.
OPENINGS = [
    Rule(r"(?:Say|What|Who|Whether)\b(?!.*\?$)", f"{_VERBS}; of a class or module, name it with a noun"),
    Rule(r"Tells? (?:whether|who|which)\b", _VERBS),
]
# How the docstring begins of a field of a class. "Whether" is plain there.
FIELD_OPENINGS = [Rule(r"(?:Say|What|Who)\b(?!.*\?$)", "name it with a noun: The ...")]
RULES = [
    Rule(r"whoever", "anyone who, those who, the person who"),
    Rule(r"so many", "the number: n, N seconds, a number of"),
    Rule(
        r"(?<!as it )(?<!as they )(?<!how )(?<!where )st(?:ands?|ood) (?!in for|in the way)"
        r"(?:in(?! place of)|on|beside|below|above|under|before|between|behind|against|with|after)",
        "is, is stored, is shown, is written",
    ),
    Rule(r"what stands(?! for)", "what is, what is written, the text"),
    Rule(r"pages? that stands? alone", "standalone page"),
    Rule(
        r"(?<!there )(?:is|are|was|were) no"
        r"(?! (?:longer|more|less|later|earlier|fewer|better|worse|larger|smaller|one|use)\b)",
        "is not a, is not an",
    ),
    Rule(r"of (?:its|their) own(?=[]*\"]*(?:[.;:,)]|$))", "its own ..., a separate ..., or nothing"),
    Rule(r"dear to make", "expensive, slow"),
    Rule(r"what (?:is|was) told", "the message, the messages, what the test says"),
    Rule(r"(?:go|goes|going|gone) on (?:with|from)", "resume, continue"),
    Rule(
        r"(?:refuse[sd]?|say|says|said)\b.{0,60}\bin (?:a|one) sentence|in (?:a|one) sentence why",
        "with a clear message; or leave it out",
    ),
    Rule(r"that (?:is|are) not over", "unfinished"),
    Rule(r"vary as (?:these|those)", "if the spread stays the same"),
    Rule(r"likelier the nearer", "more likely near"),
    Rule(r"sessions unlike these", "this sample cannot rule out"),
    Rule(r"limits that act", "limits that are enforced"),
    Rule(r"asked(?: for)?, not guessed", "ask when it is ambiguous"),
    Rule(r"earns? (?:its|their) place", "say what it is good for"),
    Rule(r"as it were", "leave it out"),
    # Names in capitals are commands of SQL.
    Rule(
        r"(?-i:(?:behavior|favor|honor|neighbor|analyz|optimiz|generaliz|normaliz|recogniz|randomiz|standardiz|summariz|organiz"
        r"|minimiz|maximiz|initializ|serializ|synchroniz|categoriz|customiz|emphasiz|visualiz|characteriz)"
        r"(?:s|e[sd]?|ed|ing|ations?|ers?|al|able|hood)?|labeled|labeling|modeled|modeling|canceled|traveled|fulfill|judgment)",
        "British spelling",
    ),
]
_ANY = re.compile("|".join(rf"\b(?:{phrase})\b" for phrase, _ in RULES), re.I)

# Strings and comments of Python 3.11 and earlier, whose f-strings hold no quotes of their own kind.
_PYTHON = re.compile(
    r"""\#[^\n]*|(?<!\w)([rbuf]{0,2})(\"""(?:[^"\\]|\\.|"(?!""))*\"""|'''(?:[^'\\]|\\.|'(?!''))*'''"""
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""",
    re.I | re.S | re.X,
)
_SCRIPT = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?<=[(,=:?&|!>] )/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/"""
    r"""|(?<=[(,=:?&|!>])/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/"""
    r"""|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'"""
    r"""|`((?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\})*)`""",
    re.S,
)
_ESCAPE = re.compile(r"\\(\n|.)")
_FIELD = re.compile(r"\{\{|\}\}|\{[^{}]*\}")
_EXAMPLE = re.compile(r"^[ \t]*>>>.*?(?:\n[ \t]*\n|\Z)", re.M | re.S)
_CITATION = re.compile(r"^[ \t]*(?:\.\. )?\[\d+\].*?(?=\n[ \t]*\n|\n[ \t]*\.\. \[|\Z)", re.M | re.S)
_END = re.compile(r"(?<=[.?!])[\"')*`]*\s+(?=[\"'(*`\[]*[A-ZΛ{\d])|\n\s*\n|\f")
_INLINE = re.compile(r"</?(?:a|abbr|b|br|code|em|i|kbd|mark|q|small|span|strong|sub|sup|time|var)\b[^>]*>", re.I)
_SPOKEN = re.compile(r"\b(?:title|placeholder|alt|aria-label|aria-description)=\"([^\"]*)\"")


def find_hits(root: Path) -> list[Hit]:
    """Return every phrase to avoid below a folder, at most one for each sentence."""
    return [hit for sentence in read_sentences(root) if (hit := check_sentence(sentence))]


def check_sentence(sentence: Sentence) -> Hit | None:
    """Return the first phrase to avoid; None where the sentence is plain."""
    openings = {"code": OPENINGS, "field": FIELD_OPENINGS}.get(sentence.opens, [])
    for phrase, instead in openings:
        if found := re.match(phrase, sentence.text):
            return Hit(sentence, found[0], instead)
    prose = re.sub(r"`[^`]*`", "`", sentence.text)
    if _ANY.search(prose):
        for phrase, instead in RULES:
            if found := re.search(rf"\b(?:{phrase})\b", prose, re.I):
                return Hit(sentence, found[0], instead)
    return None


def read_sentences(root: Path) -> Iterator[Sentence]:
    """Yield the sentences of all files that people read something of."""
    readers = {".py": _read_python, ".md": _read_markdown, ".html": _read_page, ".js": _read_script}
    inside = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*"))]
    for path in [*inside, *(root / name for name in PAGES)]:
        place = path.relative_to(root)
        if path.suffix in readers and not SKIPPED.intersection(place.parts) and path.is_file():
            yield from readers[path.suffix](place.as_posix(), path.read_text(encoding="utf-8"))


def _read_python(path: str, source: str) -> Iterator[Sentence]:
    """Yield docstrings, and other strings with those that follow them put together."""
    text, line, after = "", 0, 0
    for match in _PYTHON.finditer(source):
        between, after = source[after : match.start()], match.end()
        if text and between.strip():
            yield from _split(path, line, text)
            text = ""
        if match[2] is None:
            continue
        if opens := _docstring(source, match):
            yield from _split(path, _line(source, match), _paragraphs(match[2][3:-3]), opens)
            continue
        if not text:
            line = _line(source, match)
        text += _value(match[1].lower(), match[2])
    yield from _split(path, line, text)


def _docstring(source: str, match: re.Match[str]) -> str:
    """Return what a string is the docstring of: "code", "field", or "" where it is none."""
    begins = source.rfind("\n", 0, match.start()) + 1
    before = source[:begins].rstrip()
    if not match[2].startswith('"""') or source[begins : match.start()].strip() or before[-1:] in set("(,=[{+|%"):
        return ""
    # The docstring of a test tells a subject what to do, and may begin with any verb.
    header = source[source.rfind("\n@", 0, begins) + 1 : begins]
    if header.startswith("@test(") and header.count("def ") == 1:
        return "test"
    return "code" if before[-1:] in {"", ":"} or not re.search(r"^(?![#\s])", before, re.M) else "field"


def _paragraphs(docstring: str) -> str:
    """Return a docstring without examples and references, its parts divided by form feeds."""
    lines: list[str] = []
    depth = None
    for line in _CITATION.sub(_blank, _EXAMPLE.sub(_blank, docstring)).split("\n"):
        words = line.strip()
        indent = len(line) - len(line.lstrip())
        if lines and words and (words[0] in "-*" or (depth is not None and indent != depth)):
            lines[-1] += "\f"
        if lines and words:
            depth = indent + 2 * (words[0] in "-*")
        lines.append(line)
    return "\n".join(lines)


def _value(prefix: str, body: str) -> str:
    """Return what a string says, {} for each field."""
    inner = body[3:-3] if body[:3] in ('"""', "'''") else body[1:-1]
    if "b" in prefix:
        return ""
    if "f" in prefix:
        inner = _FIELD.sub(lambda field: field[0][0] if field[0] in ("{{", "}}") else "{}", inner)
    return inner if "r" in prefix else _unescape(inner)


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda escape: {"\n": "", "n": "\n"}.get(escape[1], escape[1]), text)


def _read_markdown(path: str, text: str) -> Iterator[Sentence]:
    """Yield paragraphs, items and cells; of a changelog those of the newest version only."""
    if path == "CHANGELOG.md":
        text = "\n## ".join(text.split("\n## ")[:2])
    text = re.sub(r"^ *(```+|~~~+)[^\n]*\n.*?^ *\1[^\n]*$|<!--.*?-->", _blank, text, flags=re.M | re.S)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"\n(?=[ \t]*(?:[-*+] |\d+\. |#|>|\|))|(?<=\n)[-:| ]+(?=\n)|\|", lambda m: m[0] + "\f", text)
    for line, block in _blocks(text, r"\f"):
        yield from _split(path, line, re.sub(r"^\s*(?:[-*+] |\d+\. |#+ |> )|\|", "", block))


def _read_page(path: str, text: str) -> Iterator[Sentence]:
    """Yield what a template shows, what its attributes say aloud, and the strings of its expressions."""
    text = re.sub(r"\{#.*?#\}|<!--.*?-->|<(script|style)\b.*?</\1>", _blank, text, flags=re.S)
    for expression in re.finditer(r"\{[{%].*?[%}]\}", text, re.S):
        for match in _PYTHON.finditer(expression[0]):
            if match[2]:
                yield from _split(path, _line(text, expression), match[2][1:-1])
    text = re.sub(r"\{\{.*?\}\}", lambda match: "{}" + _blank(match), text, flags=re.S)
    text = re.sub(r"\{%.*?%\}", _blank, text, flags=re.S)
    for match in _SPOKEN.finditer(text):
        yield from _split(path, _line(text, match), match[1])
    for line, block in _blocks(_INLINE.sub(_blank, text), r"<[^>]*>"):
        yield from _split(path, line, block)


def _read_script(path: str, source: str) -> Iterator[Sentence]:
    for match in _SCRIPT.finditer(source):
        text = match[1] or match[2] or re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "{}", match[3] or "")
        yield from _split(path, _line(source, match), _unescape(text))


def _blocks(text: str, divider: str) -> Iterator[tuple[int, str]]:
    """Yield what lies between dividers, each with its first line."""
    at = 0
    for match in [*re.finditer(divider, text), None]:
        yield text.count("\n", 0, at) + 1, text[at : match.start() if match else len(text)]
        at = match.end() if match else at


def _split(path: str, line: int, text: str, opens: str = "") -> Iterator[Sentence]:
    """Yield the sentences of a text that have at least three words."""
    at = 0
    for end in [*_END.finditer(text), None]:
        piece = text[at : end.start() if end else len(text)]
        words = " ".join(piece.split())
        if words.count(" ") >= 2:
            begins = at + len(piece) - len(piece.lstrip())
            yield Sentence(path, line + text.count("\n", 0, begins), words, "" if at else opens)
        at = end.end() if end else at


def _line(source: str, match: re.Match[str]) -> int:
    return source.count("\n", 0, match.start()) + 1


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _longest_allowed(root: Path) -> float:
    """Return the fewest entries that the baseline had in any commit; infinite without git."""
    command = ["git", "log", "--reverse", "--format=", "--numstat", "--", BASELINE]
    try:
        log = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return float("inf")
    changes = [line.split("\t") for line in log.splitlines() if line]
    return min(accumulate(int(added) - int(removed) for added, removed, _ in changes), default=float("inf"))


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Check all sentences below a folder against its baseline; return the exit code."""
    baseline = root / BASELINE
    listed = Counter(baseline.read_text(encoding="utf-8").splitlines())
    hits = find_hits(root)
    found = Counter(hit.sentence.text for hit in hits)
    if arguments == ["--shrink"]:
        listed &= found
        baseline.write_text("".join(f"{text}\n" for text in sorted(listed.elements())), encoding="utf-8")
    for hit in hits:
        if found[hit.sentence.text] > listed[hit.sentence.text]:
            print(hit)
    gone = listed - found
    for text in sorted(gone):
        print(f"{BASELINE}: no longer in the tree: {text[:90]}")
    if gone:
        print("The command that removes them from the list: python tools/english.py --shrink")
    allowed = _longest_allowed(root)
    if listed.total() > allowed:
        print(f"{BASELINE} may only become shorter: it had {allowed} entries and has {listed.total()}.")
    return int(bool(found - listed or gone or listed.total() > allowed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
