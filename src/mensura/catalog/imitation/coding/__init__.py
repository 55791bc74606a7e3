"""Coding of what is said in games: kinds of answers, strategies of questions, shares of direct answers."""

from mensura.catalog.imitation.coding.keywords import (
    ANSWERS,
    CODER,
    DIRECT,
    QUESTIONS,
    SpeechCode,
    agreed,
    code_answer,
    code_question,
    coding_rubric,
    direct_share,
    is_direct,
    is_question,
    share_by_game,
)

__all__ = [
    "ANSWERS",
    "CODER",
    "DIRECT",
    "QUESTIONS",
    "SpeechCode",
    "agreed",
    "code_answer",
    "code_question",
    "coding_rubric",
    "direct_share",
    "is_direct",
    "is_question",
    "share_by_game",
]
