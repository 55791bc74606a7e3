"""What is rated where nothing else is given: two made-up answers and a small rubric, to try the test with."""

from typing import Any

ARTEFACTS: list[dict[str, Any]] = [
    {"code": "KTR", "text": "Ice floats because water takes more room when it freezes."},
    {"code": "MVB", "text": "Ice floats because cold things are light."},
]
RUBRIC: dict[str, Any] = {
    "instructions": "Rate two answers to the question: why does ice float on water? Both are made up.",
    "items": [
        {"key": "right", "text": "The answer is right.", "scale": {"points": 5}, "weight": 2},
        {"key": "words", "text": "How well is it worded?", "scale": {"from": 0, "to": 10}},
    ],
}
