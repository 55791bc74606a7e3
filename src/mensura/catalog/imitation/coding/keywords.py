"""Coding of what is said in a game: kinds of answers, strategies of questions, and whether an answer is direct.

The coder here goes by keywords and says so. People code by the rubric of `coding_rubric`, as a panel.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from mensura.stats import Estimate, Scale, unit_estimate
from mensura.yaml_file import read_yaml

CODER = "keyword"
"""What this coder is called wherever its codes are shown: it is not people, and misses what has no keyword."""

DIRECT = "direct answer"
ANSWERS = {
    "evasive": "says something, but nothing that answers the question",
    "false identity": "claims to be, to have or to have lived what the speaker is or has not",
    "joke": "jokes in place of an answer",
    "wordplay": "plays with the words of the question",
    "aside": "remarks on something beside the matter, as in brackets",
    "emotional outburst": "is angry, hurt or delighted in place of an answer",
    "point of order": "disputes the question, the rules or the other's manner",
    "feigned incomprehension": "says that the question is not understood, which is plain",
    "quotation": "quotes somebody or a saying in place of an answer",
    "change of subject": "speaks of something else",
    "refusal": "says that it will not be answered",
    DIRECT: "answers what was asked",
}
"""Kinds of answers, and how raters tell them."""
QUESTIONS = {
    "physical attribute": "asks what only a body knows: taste, looks, pain, sleep",
    "are you a machine?": "asks outright who is speaking",
    "common sense": "asks what everybody works out: what fits, what falls, what people would do",
    "knowledge": "asks for a fact, a sum, a date",
    "follow-up": "asks on from the last answer",
    "small talk": "chats: greetings, the day, work, likings",
}
"""Strategies of questions, and how raters tell them."""

_OPENING = r"(?:(?:and|so|but|well|ok|okay|oh|hm+|hi|hello|now|really)[,?]? )*"
"""Words that come before what counts."""


@dataclass(frozen=True, slots=True)
class SpeechCode:
    """What an answer or a question was coded as, by whom, and the words that it rests on."""

    kind: str
    why: str
    coder: str = CODER

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {"kind": self.kind, "why": self.why, "coder": self.coder}


@lru_cache(maxsize=10_000)
def code_answer(answer: str, *, question: str, person: bool | None = None) -> SpeechCode:
    """Return which of `ANSWERS` a reply is, by keywords: the first that applies, direct if it answers the question.

    Parameters
    ----------
    answer, question : str
        The reply and what it replies to.
    person : bool, optional
        Whether the speaker is what it claims: with False a claim to a body, a family or a life is a false identity.
        Unless it is known, no claim is called false.

    Examples
    --------
    >>> code_answer("I'd rather not say.", question="How old are you?").kind
    'refusal'
    >>> code_answer("Milk chocolate, my mother always had some.", question="Dark or milk chocolate?").kind
    'direct answer'
    >>> code_answer("Milk chocolate, my mother always had some.", question="Dark or milk chocolate?", person=False).kind
    'false identity'
    """
    text, asked = _even(answer), _even(question)
    if not text:
        return SpeechCode("evasive", "said nothing")
    for kind in ANSWERS:
        if kind in _words()["answers"] and (found := _first(text, "answers", kind)):
            return SpeechCode(kind, found)
    if person is False and (found := _first(text, "claims")):
        return SpeechCode("false identity", found)
    if why := _answers(text, asked):
        return SpeechCode(DIRECT, why)
    return SpeechCode("evasive", _first(text, "evasions") or "nothing in it answers the question")


@lru_cache(maxsize=10_000)
def code_question(question: str, *, before: str = "") -> SpeechCode:
    """Return which of `QUESTIONS` a question is, by keywords; `before` is the reply it follows.

    >>> code_question("Are you a robot?").kind
    'are you a machine?'
    >>> code_question("Why?", before="I like the sea.").kind
    'follow-up'
    """
    text = _even(question)
    for kind in ("are you a machine?", "follow-up", "physical attribute", "common sense", "knowledge"):
        if kind != "follow-up":
            found = _first(text, "questions", kind)
        elif before:
            again = sorted(_content(text) & _content(_even(before)))
            found = _first(re.sub(f"^{_OPENING}", "", text, flags=re.IGNORECASE), kind) or "".join(again[:1])
        else:
            found = ""
        if found:
            return SpeechCode(kind, found)
    return SpeechCode("small talk", "no keyword of another strategy")


def is_question(text: str) -> bool:
    """Return whether a message asks something: a question mark, or a word that questions begin with.

    >>> is_question("what do you do all day"), is_question("Nice to meet you.")
    (True, False)
    """
    text = _even(text)
    starts = r"^(?:what|who|whom|whose|when|where|which|why|how|tell me|name|describe|explain)\b"
    return "?" in text or bool(re.search(starts, text, re.IGNORECASE)) or bool(_opens(text, "asks yes or no"))


def is_direct(answer: str, *, question: str, person: bool | None = None) -> bool:
    """Return whether a reply answers the question directly, by keywords.

    >>> is_direct("Eleven.", question="How many players has a football team?")
    True
    >>> is_direct("Why do you ask?", question="How many players has a football team?")
    False
    """
    return code_answer(answer, question=question, person=person).kind == DIRECT


def direct_share(exchanges: Iterable[tuple[str, str]], *, person: bool | None = None) -> float:
    """Return the share of direct answers of one game, of (question, answer) pairs; NaN if nothing was asked.

    A silence is an answer that is not direct; what replies to no question does not count.
    """
    found = [is_direct(answer, question=asked, person=person) for asked, answer in exchanges if is_question(asked)]
    return sum(found) / len(found) if found else float("nan")


def coding_rubric() -> dict[str, Any]:
    """Return the rubric by which a panel codes one exchange: a question and its answer, each of one kind."""
    told = [f"- **{kind}**: {what}" for kind, what in (*ANSWERS.items(), *QUESTIONS.items())]
    return {
        "instructions": "Read the question and the answer to it. Choose what describes each best.\n\n"
        + "\n".join(told),
        "layout": "page",
        "items": [
            {"key": "answer", "text": "The answer is", "scale": list(ANSWERS), "measure": "nominal"},
            {"key": "question", "text": "The question is", "scale": list(QUESTIONS), "measure": "nominal"},
        ],
    }


def agreed(kinds: Sequence[str]) -> str | None:
    """Return what most raters chose, None where two kinds are equally frequent or nobody coded.

    >>> agreed(["joke", "joke", "evasive"]), agreed(["joke", "evasive"])
    ('joke', None)
    """
    ranked = Counter(kinds).most_common(2)
    return ranked[0][0] if ranked and (len(ranked) == 1 or ranked[0][1] > ranked[1][1]) else None


def share_by_game(games: Sequence[Sequence[tuple[str, str]]], *, person: bool | None = None) -> Estimate:
    """Estimate the share of direct answers; games are the unit, since the answers of one game go together."""
    shares = [share for one in games if (share := direct_share(one, person=person)) == share]
    return unit_estimate(shares, unit="game", scale=Scale(0, 1))


def _answers(text: str, asked: str) -> str:
    """Return by what a reply answers what was asked, empty if by nothing."""
    asked_last = _last_question(asked)
    if _first(text, "evasions"):
        # "Maybe seven" answers how many; "Maybe." answers nothing.
        text = _pattern("evasions").sub(" ", text).strip(" .,!?;:")
        if not _content(text) and not _first(text, "numbers"):
            return ""
    said = " ".join(one for one in _sentences(text) if not one.rstrip().endswith("?"))
    if not said:
        return ""
    if _first(asked_last, "asks how many"):
        return _first(said, "numbers")
    if chosen := _alternative(asked_last, said):
        return chosen
    if _opens(asked_last, "asks yes or no") and not re.search(r"\bor\b", asked_last):
        return _opens(said, "yes or no")
    own = _content(said) - _content(asked)
    return "says something of its own" if own or _first(said, "numbers") else ""


def _alternative(asked: str, said: str) -> str:
    """Return which of the two sides of an "or" a reply takes up, empty if the question has none or it takes neither."""
    sides = re.split(r"\bor\b", asked, maxsplit=1)
    if len(sides) < 2:
        return ""
    return "".join(sorted((_content(sides[0]) ^ _content(sides[1])) & _content(said))[:1])


def _last_question(text: str) -> str:
    asked = [one for one in _sentences(text) if one.rstrip().endswith("?")]
    return (asked or [text])[-1]


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", text)


def _content(text: str) -> set[str]:
    common = set(" ".join(_words()["common words"]).split())
    return {word for word in re.findall(r"[a-z0-9']+", text.lower()) if word not in common and len(word) > 1}


def _even(text: str) -> str:
    return " ".join(re.sub("[“”]", '"', text.replace("’", "'")).split())


def _first(text: str, *where: str) -> str:
    """Return the first words of a text that a list of keywords names, empty if none."""
    found = _pattern(*where).search(text)
    return found[0] if found else ""


def _opens(text: str, *where: str) -> str:
    found = re.match(f"{_OPENING}(?:{_pattern(*where).pattern})", text, re.IGNORECASE)
    return found[0] if found else ""


@cache
def _pattern(*where: str) -> re.Pattern[str]:
    listed: Any = _words()
    for name in where:
        listed = listed[name]
    return re.compile(r"(?<!\w)(?:" + "|".join(f"(?:{one})" for one in listed) + r")(?!\w)", re.IGNORECASE)


@cache
def _words() -> dict[str, Any]:
    read: dict[str, Any] = read_yaml(Path(__file__).parent / "keywords.yaml")
    return read
