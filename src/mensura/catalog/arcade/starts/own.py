"""A player's own starts: cut out of what they played, and shown to them with what they are worth."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mensura.catalog.arcade.learners.experience import Play, PlaySession
from mensura.catalog.arcade.screen import png
from mensura.catalog.arcade.showing.taken import TakenEvaluation
from mensura.catalog.arcade.starts.card import CardBudget, make_card
from mensura.catalog.arcade.starts.recording import cut_starts
from mensura.catalog.arcade.starts.start import StartSet
from mensura.catalog.arcade.world.doing import unpack
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import cartridge
from mensura.catalog.arcade.world.rules import Rules
from mensura.dialogue import Image, PromptLike, TableView
from mensura.errors import BadData

SHOWN = 6
BUDGET = CardBudget(episodes=1, near=1, search_frames=0, cap_frames=1_800)
ROW = 3
"""Screens beside each other."""


def play_of(game: str, episodes: Sequence[tuple[bytes | None, str]], *, made: str, by: str) -> Play:
    """Return recorded play from episodes: the state each began at, and what was done, packed."""
    sessions = [PlaySession(made, by, state, tuple(unpack(actions))) for state, actions in episodes]
    return Play(game, cartridge(game)[1], tuple(sessions))


def own_words(play: Play, *, seed: int) -> PromptLike:
    """Return some starts of recorded play and their card, for the player: random play of half a minute from each."""
    try:
        found = cut_starts(play, states=SHOWN, split="", seed=seed)
    except BadData:
        return "All games have been played. They were too short to cut starts out of them."
    card = make_card(found, BUDGET, seed=seed)
    facts = card.facts
    rooms = len(facts["rooms"] or ())
    lie = f" They lie in {'one room' if rooms == 1 else f'{rooms} rooms'}." if rooms else ""
    rows = [
        [number, row["frame"], row["score"], "yes" if row["near_chance"] else "no", row["near_mean"]]
        for number, row in enumerate(card.rows, 1)
    ]
    return [
        f"Thank you. These are {len(found.starts)} moments of your play, drawn over its whole length; "
        f"{found.distinct} of them differ.{lie} Beside each stands what came of it when chance played on from it for "
        "half a minute.",
        Image(png(screens(found)), "Screens of the moments, in the order of the table."),
        TableView(("moment", "frame", "points then", "a reward followed", "points by chance"), rows),
    ]


def screens(found: StartSet) -> Any:
    """Return the screens of starts beside and below each other, as one picture."""
    episode, shown = GameEpisode(found.game, Rules()), []
    for start in found.starts:
        episode.begin(start.state)
        episode.wait(1)
        shown.append(np.pad(episode.colours(), ((0, 6), (0, 6), (0, 0)), constant_values=255))
    shown += [np.full_like(shown[0], 255)] * (-len(shown) % ROW)
    return np.concatenate([np.concatenate(shown[at : at + ROW], axis=1) for at in range(0, len(shown), ROW)])


def kept_play(every: Sequence[TakenEvaluation]) -> Play:
    """Return the play of the sessions whose players allowed that moments of it be kept."""
    kept = [one for one in every if one.may_be_kept]
    if not kept:
        raise BadData(
            f"Nobody who played in {every[0].run} allowed that moments of the play be kept. People are asked at the "
            "end of --setting person."
        )
    plays = []
    for number, one in enumerate(kept, 1):
        states = one.states()
        rows = [*one.details["by_start"], one.details["by_null"]]
        episodes = [(states.get(row["start"].partition("#")[0]), told) for row in rows for told in row["actions"]]
        plays.append(play_of(one.details["game"], episodes, made=one.made, by=f"{one.run}, player {number}"))
    return Play(plays[0].game, plays[0].rom, tuple(session for play in plays for session in play.sessions))
