"""Schemas: sentences with a pronoun in brackets, the candidates it may stand for, and which is right."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mensura.errors import BadData

PRONOUN = re.compile(r"\[([^\[\]]+)\]")


@dataclass(frozen=True, slots=True)
class SchemaSentence:
    """One sentence of a schema: its text with the pronoun in brackets, its special word, and the right candidate.

    `told` is what somebody who asks back about an ambiguous sentence is told; `people` how many people gave each
    answer, empty where none were asked.
    """

    text: str
    right: int
    word: str = ""
    told: str = ""
    people: tuple[int, ...] = ()

    @property
    def pronoun(self) -> str:
        """The pronoun, or what stands for it."""
        found = PRONOUN.search(self.text)
        return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """One of several readings of a sentence: under which circumstances, and who is then meant."""

    sentence: int
    when: str
    right: int


@dataclass(frozen=True, slots=True)
class Schema:
    """One sentence, or twins between which the right candidate changes, kept together.

    `switch` says that the candidates may be exchanged in the text without making it odd: two names, say. An ambiguous
    schema has one text with several circumstances: its sentences differ by what somebody who asks back is told.
    `background` is what one has to know, in words.
    """

    id: str
    candidates: tuple[str, ...]
    sentences: tuple[SchemaSentence, ...]
    switch: bool = False
    ambiguous: bool = False
    background: str = ""
    readings: tuple[SentenceReading, ...] = ()

    def __post_init__(self) -> None:
        if not self.id or "/" in self.id:
            raise BadData(f"The id of a schema is a name without a slash; got {self.id!r}.")
        if len(self.candidates) < 2 or len({plain(name) for name in self.candidates}) < len(self.candidates):
            raise BadData(f"A schema has at least two different answers; got {list(self.candidates)}.")
        if not 1 <= len(self.sentences) <= 2:
            raise BadData(f"A schema is one sentence or two twins; got {len(self.sentences)}.")
        for sentence in self.sentences:
            if len(PRONOUN.findall(sentence.text)) != 1:
                raise BadData(f"A sentence has its pronoun in brackets, once, as in [it]; got {sentence.text!r}.")
            if not 0 <= sentence.right < len(self.candidates):
                raise BadData(f"`right` is the number of an answer, from 0; got {sentence.right}.")
            if sentence.people and (len(sentence.people) != len(self.candidates) or not sum(sentence.people)):
                raise BadData("`people` counts how many people gave each answer, and at least one did.")
        for reading in self.readings:
            if not (0 <= reading.sentence < len(self.sentences) and 0 <= reading.right < len(self.candidates)):
                raise BadData("A reading is {sentence, when, right}: numbers of a sentence and an answer, from 0.")
        if self.ambiguous:
            self._check_ambiguous()
        elif self.is_pair and self.sentences[0].right == self.sentences[1].right:
            raise BadData("The answer does not change between the twins; give them as two single schemas.")
        elif self.is_pair and self.sentences[0].text == self.sentences[1].text:
            raise BadData("The twins are the same sentence.")

    def _check_ambiguous(self) -> None:
        """Refuse an ambiguous schema that is clear, or of which nothing could be told to somebody who asks."""
        if len({one.text for one in self.sentences}) > 1 or len({one.right for one in self.sentences}) < 2:
            raise BadData("An ambiguous schema has one text, twice, with different right answers.")
        if not all(one.told for one in self.sentences):
            raise BadData("An ambiguous schema says for each right answer what is `told` to somebody who asks.")

    @property
    def is_pair(self) -> bool:
        """Whether it has twins."""
        return len(self.sentences) == 2 and not self.ambiguous

    def switched(self, sentence: SchemaSentence) -> SchemaSentence:
        """Return the sentence with its two candidates exchanged, and so the other one right.

        >>> pair = read_schema({"id": "a", "answers": ["Ann", "Eve"], "switch": True, "sentences": [
        ...     {"text": "Ann thanked Eve for the help [she] had given.", "right": 1}]})
        >>> pair.switched(pair.sentences[0])
        SchemaSentence(text='Eve thanked Ann for the help [she] had given.', right=0, word='', told='', people=())
        """
        first, second = self.candidates
        either = re.compile(rf"\b(?:{re.escape(first)}|{re.escape(second)})\b")
        text = either.sub(lambda found: second if found[0] == first else first, sentence.text)
        return SchemaSentence(text, 1 - sentence.right, sentence.word, people=sentence.people[::-1])


def read_schema(data: Mapping[str, Any]) -> Schema:
    """Read a schema from its JSON, or say what is wrong with it."""
    try:
        answers = tuple(map(str, data["answers"]))
        schema = Schema(
            str(data["id"]),
            answers,
            tuple(_read_sentence(one, answers) for one in data["sentences"]),
            switch=bool(data.get("switch", False)),
            ambiguous=bool(data.get("ambiguous", False)),
            background=str(data.get("background", "")),
            readings=tuple(
                SentenceReading(int(one["sentence"]), str(one["when"]), int(one["right"]))
                for one in data.get("readings", ())
            ),
        )
    except KeyError as error:
        raise BadData(f"A schema needs {error.args[0]!r}; it has id, answers and sentences (text, right).") from None
    except (TypeError, AttributeError, ValueError):
        raise BadData("A schema is an object with id, answers and sentences, each with text and right.") from None
    if schema.switch and len(schema.candidates) != 2:
        raise BadData("Only two answers can be switched.")
    return schema


def _read_sentence(data: Mapping[str, Any], answers: tuple[str, ...]) -> SchemaSentence:
    people: Any = data.get("people") or {}
    if unknown := sorted(set(people) - set(answers)):
        raise BadData(f"`people` counts answers of the schema; {unknown[0]!r} is none of {list(answers)}.")
    counts = tuple(people.get(name, 0) for name in answers) if people else ()
    if not all(type(count) is int and count >= 0 for count in counts):
        raise BadData(f"`people` is how many people gave each answer, as in {{{answers[0]!r}: 12}}; got {people}.")
    right = data["right"]
    if type(right) is not int:
        raise BadData(f"`right` is the number of an answer, from 0; got {right!r}.")
    return SchemaSentence(str(data["text"]), right, str(data.get("word", "")), str(data.get("told", "")), counts)


def plain(words: str) -> str:
    """Return words as they are compared: lower case, no article before them, no doubled spaces.

    >>> plain(" The  city councilmen ")
    'city councilmen'
    """
    return re.sub(r"^(?:the|a|an|his|her|my|their) ", "", " ".join(words.lower().split()))
