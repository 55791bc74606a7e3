"""The recorded human: what a person did from a start, done again under the rules of an evaluation."""

from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

from mensura.catalog.arcade.learners.experience import read_play
from mensura.catalog.arcade.starts.start import state_id
from mensura.catalog.arcade.subjects import ArcadePlayer
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.rules import Rules
from mensura.errors import BadParameter


class RecordedHuman(ArcadePlayer):
    """Does what a person did next in recorded play, and nothing from where nobody was.

    It looks at the emulator's state to find where it is in the recording. Between acts a person may do more than the
    rules let an agent do: of the frames of an act the action held longest is done.

    Parameters
    ----------
    play
        A file of `mensura arcade starts record --play-out`.
    """

    method = "recorded-human"
    knows = "truth"
    simulates = True

    def __init__(self, play: str = "") -> None:
        if not play:
            raise BadParameter("recorded-human plays what was recorded: --as recorded-human#play=FILE.")
        self.play = play
        found = read_play(Path(play))
        if (ways := {one.made for one in found.sessions}) != {"human"}:
            raise BadParameter(f"{play} was made by {', '.join(sorted(ways))}, not by people alone.")

    def begin(self, rng: Any) -> None:
        """Forget where it was."""
        self.rng = rng
        self._left: bytes | None = None

    def about(self) -> dict[str, Any]:
        """Return what a record must state of it."""
        return {"game": read_play(Path(self.play)).game, "play": self.play, "human": ["play"]}

    def decide_in(self, episode: GameEpisode) -> int:
        """Return what was done most in the frames of this act."""
        if self._left is None:
            session, frame = _moments(self.play).get(state_id(episode.save()), (b"", 0))
            self._left = session[frame:]
        now, self._left = self._left[: episode.rules.skip], self._left[episode.rules.skip :]
        if not now:
            return 0
        values = [action.value for action in episode.actions]
        held = Counter(now).most_common(1)[0][0]
        return values.index(held) if held in values else 0


@lru_cache(maxsize=2)
def _moments(play: str) -> dict[str, tuple[bytes, int]]:
    """Return of every moment of recorded play its session's actions, and how many of them lie before it."""
    found = read_play(Path(play))
    episode = GameEpisode(found.game, Rules())
    moments: dict[str, tuple[bytes, int]] = {}
    for session in found.sessions:
        episode.begin(session.begun)
        done = bytes(session.actions)
        for frame, action in enumerate(done, 1):
            episode.play_frames((action,))
            moments.setdefault(state_id(episode.save()), (done, frame))
    return moments
