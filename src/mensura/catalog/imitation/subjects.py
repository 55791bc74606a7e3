"""Reference subjects of the game, by name."""

from collections.abc import Callable
from typing import Any

from mensura.catalog.imitation.forms import HOST
from mensura.catalog.imitation.players.blunderer import Blunderer
from mensura.catalog.imitation.players.book import AnswerBook
from mensura.catalog.imitation.players.eliza import Eliza
from mensura.catalog.imitation.players.evasive import Evasive
from mensura.catalog.imitation.players.host import ReleasingHost
from mensura.catalog.imitation.players.judge import KeywordJudge
from mensura.catalog.imitation.players.recorded import Parrot, RecordedPlayer

SUBJECTS: dict[str, Callable[..., Any]] = {
    "eliza": Eliza,
    "evasive": Evasive,
    "parrot": Parrot,
    "book": AnswerBook,
    "blunderer": Blunderer,
    "recorded": RecordedPlayer,
    "keyword": KeywordJudge,
    HOST: ReleasingHost,
}
"""Witnesses: `eliza`, `evasive`, `parrot[:FILE]`, `book[:FILE]`, `blunderer:OTHER` and `recorded:FILE`, which judges
too; `keyword` judges. `host` releases messages."""
