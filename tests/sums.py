"""A bank of sums, and subjects that take it: one that notes what models note, one that adds only small numbers."""

import json
import re
from pathlib import Path

from mensura.dialogue import Noted, Refused


def write_sums(path: Path, many: int) -> str:
    """Write a bank of so many sums, every third one hard; its options are four numbers."""
    lines = []
    for number in range(many):
        first, second = 3 * number + 1, number + 2
        options = [str(first + second + shift) for shift in (0, 1, 10, -1)]
        lines.append(
            {
                "prompt": f"What is {first} + {second}?",
                "options": options[number % 4 :] + options[: number % 4],
                "answer": str(first + second),
                "tags": ["hard" if number % 3 == 0 else "easy"],
            }
        )
    path.write_text("\n".join(map(json.dumps, lines)))
    return str(path)


def addends(prompt: str) -> tuple[int, int]:
    """Read the two numbers of a sum."""
    first, second = re.findall(r"\d+", prompt)
    return int(first), int(second)


def model(ask):
    """Add, but refuse every tenth sum and be off by one at every fourth; note what a language model notes."""
    first, second = addends(ask.prompt)
    if second % 10 == 9:
        return Noted(Refused("I would rather not."), notes("I would rather not.", second))
    said = str(first + second + (second % 4 == 1))
    return Noted(said, notes(f"{first} plus {second} is {said}.", second))


def program(ask):
    """Add numbers below 30, and else say the first option."""
    first, second = addends(ask.prompt)
    return str(first + second) if first < 30 else ask.space.options[0]


def notes(reply: str, size: int) -> dict:
    """Return notes as those of a language model."""
    told = {
        "model": "small",
        "messages": [{"role": "user", "content": "What is it?"}],
        "reply": reply,
        "finish": "stop",
    }
    return {**told, "tokens_in": 10 + size, "tokens_out": 5, "cost": 0.001, "retries": 0, "seconds": 0.5}
