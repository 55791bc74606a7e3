"""The approval test: a program says which tool it wants to call, and someone decides before it is called."""

import json
from collections.abc import Generator, Mapping
from typing import Any

import numpy as np

from mensura.catalog.approval.scoring import SCORES, score
from mensura.catalog.approval.subjects import SUBJECTS
from mensura.dialogue import Ask, Call, Outcome, Round, Save, Text, Tool, test
from mensura.json_file import loads
from mensura.phrase import joined, phrase

ROLES = ("applicant", "approver")
LONGEST = 1_000_000
WANTED = Call(
    {
        "want": Tool(
            "Ask whether a tool may be called.",
            {"who": Text(longest=1000), "item": Text(), "tool": Text(longest=1000), "arguments": Text(longest=LONGEST)},
        ),
        "done": Tool("There is nothing more to ask for."),
    }
)
REASON = {"reason": Text(longest=2000, lines=2)}
DECIDED = Call(
    {
        "approve": Tool(phrase("The tool is called now, with these arguments.")),
        "refuse": Tool(phrase("Nothing is called. The model reads your reason, and goes on."), REASON, ("reason",)),
        "end": Tool(phrase("Nothing is called, and the item ends here as refused."), REASON, ("reason",)),
    }
)
WITHDRAWN = Call({"withdraw": Tool("The call is not wanted any more.")})
OVER = phrase("No more calls are wanted. Thank you.")


@test("approval-v1", score=score, scores=SCORES, roles=ROLES, subjects=SUBJECTS)
def approval(rng: np.random.Generator, *, saved: Any = None) -> Generator[Ask | Round | Save, Any, Outcome]:
    """Decide on calls of tools before they are made."""
    number = int(saved or 0)
    while True:
        number += 1
        wanted = yield Ask("Which tool do you want to call?", WANTED, key=f"call{number}", role="applicant")
        if wanted is None or wanted["call"] == "done":
            return Outcome(OVER)
        key = f"decision{number}"
        question = Ask(shown(wanted["arguments"]), DECIDED, key=key, role="approver")
        waiting = Ask("You may withdraw the call until it is decided.", WITHDRAWN, key=key, role="applicant")
        yield Round([question, waiting], need="any")
        yield Save(number)


def shown(wanted: Mapping[str, str]) -> str:
    """Show a call as it was made: nothing in it is read as Markdown.

    >>> print(shown({"who": "llm:m", "item": "", "tool": "shell", "arguments": '{"command": "ls"}'}))
    May this tool be called?
    <BLANKLINE>
    `llm:m` wants to call `shell` with:
    <BLANKLINE>
    *`command`*
    <BLANKLINE>
    ```
    ls
    ```
    """
    try:
        arguments = dict(loads(wanted["arguments"]))
    except (ValueError, TypeError):
        arguments = {"": wanted["arguments"]}
    given = [f"*{_code(name)}*\n\n{_block(value)}" if name else _block(value) for name, value in arguments.items()]
    who, tool, item = (_code(wanted[name]) if wanted[name] else "" for name in ("who", "tool", "item"))
    if item and given:
        said = phrase("{who} wants to call {tool} in {item} with:", who=who, tool=tool, item=item)
    elif item:
        said = phrase("{who} wants to call {tool} in {item}, without arguments.", who=who, tool=tool, item=item)
    elif given:
        said = phrase("{who} wants to call {tool} with:", who=who, tool=tool)
    else:
        said = phrase("{who} wants to call {tool}, without arguments.", who=who, tool=tool)
    return joined([phrase("May this tool be called?"), said, *given], "\n\n")


def _code(text: str) -> str:
    plain = " ".join(text.split())
    fence = _fence(plain, 1)
    return f"{fence} {plain} {fence}" if "`" in plain else f"`{plain}`"


def _block(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    fence = _fence(text, 3)
    return f"{fence}\n{text}\n{fence}"


def _fence(text: str, least: int) -> str:
    """Return a fence that the text cannot close."""
    while "`" * least in text:
        least += 1
    return "`" * least
