"""Exchanges of a file, coded by keywords, and the panel by which people code the same."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mensura.catalog.imitation.coding.keywords import CODER, code_answer, code_question, coding_rubric, share_by_game
from mensura.errors import BadFile
from mensura.json_file import loads
from mensura.stats import Estimate
from mensura.stats.wording import several, spoken
from mensura.text_file import read_text


@dataclass(frozen=True, slots=True)
class CodedExchange:
    """A question and its answer, and the game that they are from."""

    game: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class CodedExchanges:
    """Exchanges with what they were coded as."""

    exchanges: tuple[CodedExchange, ...]
    answers: tuple[str, ...]
    questions: tuple[str, ...]
    direct: Estimate
    """Share of direct answers; games are the unit."""

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        rows = zip(self.exchanges, self.questions, self.answers, strict=True)
        return {
            "coder": CODER,
            "answers": dict(Counter(self.answers)),
            "questions": dict(Counter(self.questions)),
            "direct_share": self.direct.as_json(),
            "exchanges": [{"game": one.game, "question": asked, "answer": said} for one, asked, said in rows],
        }

    def lines(self) -> list[str]:
        """Return it in lines for a terminal."""
        return [
            f"{several(len(self.exchanges), 'exchange')} coded by keywords; people have not looked at them.",
            f"Answers: {_listed(self.answers)}.",
            f"Questions: {_listed(self.questions)}.",
            f"Share of direct answers: {spoken(self.direct)} ({several(self.direct.n, 'game')}).",
        ]


def code_file(path: str | Path) -> CodedExchanges:
    """Code the exchanges of a file, {"question", "answer", "game"} on each line."""
    found = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.strip():
            try:
                data: Any = loads(line)
                found.append(CodedExchange(str(data.get("game", "")), str(data["question"]), str(data["answer"])))
            except (ValueError, TypeError, KeyError, AttributeError):
                raise BadFile(
                    f'{path}, line {number}: an exchange is {{"question": "...", "answer": "..."}}.'
                ) from None
    if not found:
        raise BadFile(f"{path} holds no exchanges.")
    questions, before = [], dict[str, str]()
    games: dict[str, list[tuple[str, str]]] = {}
    for one in found:
        questions.append(code_question(one.question, before=before.get(one.game, "")).kind)
        before[one.game] = one.answer
        games.setdefault(one.game, []).append((one.question, one.answer))
    answers = tuple(code_answer(one.answer, question=one.question).kind for one in found)
    return CodedExchanges(tuple(found), answers, tuple(questions), share_by_game(list(games.values())))


def write_panel(coded: CodedExchanges, path: Path) -> None:
    """Write the panel by which people code each exchange; they see neither game nor the keyword coder's codes."""
    artefacts = [
        {"text": f"**Question:** {one.question}\n\n**Answer:** {one.answer}", "condition": f"game {one.game or 'only'}",
         "source": f"exchange {number}"}
        for number, one in enumerate(coded.exchanges, start=1)
    ]  # fmt: skip
    from yaml import safe_dump

    panel = {"name": path.stem, "rubric": coding_rubric(), "artefacts": artefacts, "overlap": 2}
    path.write_text(safe_dump(panel, sort_keys=False, allow_unicode=True), encoding="utf-8")


def _listed(kinds: tuple[str, ...]) -> str:
    return ", ".join(f"{kind} {many}" for kind, many in Counter(kinds).most_common())
