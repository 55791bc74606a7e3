"""Styles: how people write. A style changes the greeting, the body, the mistakes and the signature."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from mensura.catalog.crisis.mail.once import Once
from mensura.catalog.crisis.mail.template import CLOSE, OPEN, plain
from mensura.catalog.crisis.world.people.person import Person, Style
from mensura.yaml_file import read_yaml

_ASIDE = re.compile(r"\[\[(.*?)\]\] ?", re.DOTALL)
_SAFE = re.compile(f"({OPEN}.*?{CLOSE})", re.DOTALL)
_WORD = re.compile(r"[A-Za-z']+")


@cache
def wording(name: str) -> Any:
    """Return greetings, asides, worries or mistakes: a tuple of phrases, or a table."""
    said = read_yaml(Path(__file__).with_name("wording.yaml"))[name]
    return tuple(said) if isinstance(said, list) else said


def dress(core: str, *, writer: Person, rng: Random, once: Once | None = None, to: str = "") -> str:
    """Write the core of a message as this person would; `to` is the first name of whom they know there.

    With `once`, what people say by the way is not said by anyone else of the same world.

    >>> ada = Person(id="a", name="Ada Brandt", mail="a@b.example", phone="1", style="terse")
    >>> dress(f"[[I hope you are well.]] I cannot come on {OPEN}Tuesday{CLOSE}.", writer=ada, rng=Random(1))
    'I cannot come on Tuesday.\\n\\n– AB'
    """
    body = _ASIDE.sub("" if writer.style == "terse" else r"\1 ", core.strip())
    body = re.sub(r"[ \t]{2,}", " ", re.sub(r" +\n", "\n", body)).strip()
    body = _BODY[writer.style](body, rng, once or Once(rng))
    if writer.style not in ("careless", "formal", "pompous") and rng.random() < 0.2:
        body = _misspell(body, rng, number=1)
    hello = (
        rng.choice(wording("named")[writer.style]).format(name=to)
        if to
        else rng.choice(wording("greetings")[writer.style])
    )
    parts = [hello, body, _close(writer, rng)]
    return plain("\n\n".join(part for part in parts if part))


def dress_subject(subject: str, *, style: Style, rng: Random) -> str:
    """Write a subject line as someone of this style would."""
    if style == "careless":
        subject = _unsafe(subject, lambda words: words.lower()) if rng.random() < 0.7 else subject
    elif style == "anxious":
        subject = rng.choice(("{}", "Question: {}", "{} (urgent?)", "Sorry – {}", "{} – please confirm")).format(
            subject
        )
    elif style == "pompous":
        subject = rng.choice(("Concerning: {}", "{}", "For the attention of the office: {}", "{}")).format(subject)
    elif style == "chatty":
        subject = rng.choice(("{}!", "{}", "{} :)", "quick one: {}")).format(subject)
    elif style == "terse":
        subject = subject.rstrip("!?.")
    return plain(subject)


def _unsafe(words: str, change: Callable[[str], str]) -> str:
    """Change what did not come from a variable."""
    return "".join(part if part.startswith(OPEN) else change(part) for part in _SAFE.split(words))


def _as_is(body: str, rng: Random, once: Once) -> str:
    return body


def _formal(body: str, rng: Random, once: Once) -> str:
    return _unsafe(body, lambda words: _replace(words, wording("contractions")))


def _pompous(body: str, rng: Random, once: Once) -> str:
    stilted = _unsafe(body, lambda words: _replace(_replace(words, wording("contractions")), wording("stilted")))
    return f"{once.deal(wording('prefaces'))} {stilted}"


def _chatty(body: str, rng: Random, once: Once) -> str:
    cheerful = re.sub(r"\.$", lambda _: rng.choice(("!", "!!", " :)", ".")), body)
    said = f"{once.deal(wording('openers'))} {cheerful}"
    return f"{said}\n\n{once.deal(wording('closers'))}" if rng.random() < 0.6 else said


def _anxious(body: str, rng: Random, once: Once) -> str:
    before, after = rng.choice(((True, True), (True, True), (True, False), (False, True)))
    first = f"{once.deal(wording('worries'))} " if before else ""
    last = f" {once.deal(wording('worries_last'))}" if after else ""
    return f"{first}{body}{last}"


def _careless(body: str, rng: Random, once: Once) -> str:
    body = _misspell(body, rng, number=rng.randrange(2, 5))
    body = _unsafe(body, lambda words: words.replace("'", "") if rng.random() < 0.7 else words)
    if rng.random() < 0.6:
        body = _unsafe(body, lambda words: re.sub(r"(^|[.!?]\s+)([A-Z])", lambda m: m[1] + m[2].lower(), words))
        body = _unsafe(body, lambda words: re.sub(r"\bI\b", "i", words))
    if rng.random() < 0.5:
        body = _unsafe(body, lambda words: words.replace(", ", ","))
    return re.sub(r"\.$", "", body)


_BODY: dict[Style, Callable[[str, Random, Once], str]] = {
    "plain": _as_is,
    "formal": _formal,
    "terse": _as_is,
    "chatty": _chatty,
    "careless": _careless,
    "anxious": _anxious,
    "pompous": _pompous,
}


def _replace(words: str, table: dict[str, str]) -> str:
    for old, new in table.items():
        words = re.sub(rf"\b{re.escape(old)}\b", new, words)
        words = re.sub(rf"\b{re.escape(old.capitalize())}\b", new[:1].upper() + new[1:], words)
    return words


def _misspell(body: str, rng: Random, *, number: int) -> str:
    """Spoil so many words: known ones as people do, others by swapping two letters inside."""
    parts = _SAFE.split(body)
    spots = [
        (n, match)
        for n, part in enumerate(parts)
        if not part.startswith(OPEN)
        for match in _WORD.finditer(part)
        if match[0].lower() in wording("misspelt") or (len(match[0]) > 5 and "'" not in match[0])
    ]
    chosen = sorted(
        rng.sample(spots, min(number, len(spots))), key=lambda spot: (spot[0], spot[1].start()), reverse=True
    )
    for n, match in chosen:
        parts[n] = parts[n][: match.start()] + _spoilt(match[0], rng) + parts[n][match.end() :]
    return "".join(parts)


def _spoilt(word: str, rng: Random) -> str:
    known: str = wording("misspelt").get(word.lower(), "")
    if known:
        return known.capitalize() if word[0].isupper() else known
    at = rng.randrange(1, len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _close(writer: Person, rng: Random) -> str:
    given, _, family = writer.name.partition(" ")
    pattern: str = rng.choice(wording("closings")[writer.style])
    if writer.post == "private":
        pattern = "\n".join(
            line for line in pattern.split("\n") if "{affiliation}" not in line and "{post}" not in line
        )
    signed = pattern.format(
        name=writer.name, given=given, lower=given.lower(), initials=f"{given[0]}{family[:1]}",
        post=writer.post.capitalize(), affiliation=writer.affiliation, phone=writer.phone, mail=writer.mail,
    )  # fmt: skip
    return signed.strip()
