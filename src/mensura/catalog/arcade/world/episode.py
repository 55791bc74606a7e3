"""One game being played: frames, rewards, lives, and its state to be kept and taken up again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.arcade.world.games import cartridge, emulator, find_game
from mensura.catalog.arcade.world.rules import Rules

Bytes = NDArray[np.uint8]
STICKS = 4096
"""How many chances of repeating an action are drawn at a time."""

MOST_IDLE = 4
_idle: dict[Path, list[tuple[Any, Any]]] = {}
"""Machines whose episodes are gone, by cartridge, each with its state after it was switched on."""


def _switched_on(owner: object, path: Path) -> Any:
    """Return a machine that was just switched on, to be used until its owner is gone.

    One that is idle is put back into the state it had then: to start another takes as long as hundreds of acts.
    """
    try:
        machine, state = _idle[path].pop()
        machine.restoreSystemState(state)
    except LookupError:
        ale_py = emulator()
        ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)
        machine = ale_py.ALEInterface()
        machine.setFloat("repeat_action_probability", 0.0)
        machine.setInt("frame_skip", 1)
        # The first state differs by the seed of the emulator's own generator, which nothing here draws from.
        machine.setInt("random_seed", 1)
        machine.loadROM(path)
        state = machine.cloneSystemState()
    finalize(owner, _give_back, path, machine, state).atexit = False
    return machine


def _give_back(path: Path, machine: Any, state: Any) -> None:
    idle = _idle.setdefault(path, [])
    if len(idle) < MOST_IDLE:
        idle.append((machine, state))


class GameEpisode:
    """A game under rules, begun as often as one likes, at its beginning or at a state.

    Parameters
    ----------
    game
        Its name.
    rules
        What holds while it is played.
    rng
        Where the chance of sticky actions comes from; needed only for these.

    `done` holds the action of every frame since the beginning, by its number among all 18, as the console met it.
    Where nobody looks, `watched` may be False: then `picture` is not kept up with.

    Examples
    --------
    >>> episode = GameEpisode("pong", Rules())
    >>> episode.begin()
    >>> episode.act(0)
    0
    >>> episode.frames
    4
    """

    def __init__(self, game: str, rules: Rules, rng: np.random.Generator | None = None) -> None:
        self.game = find_game(game)
        self.rules = rules
        self.rng = rng
        path, self.rom = cartridge(game)
        self.machine = _switched_on(self, path)
        choices = self.machine.getLegalActionSet() if rules.actions == "full" else self.machine.getMinimalActionSet()
        self.actions = tuple(choices)
        self.names = tuple(action.name.lower() for action in choices)
        height, width = self.machine.getScreenDims()
        self._last_two = np.zeros((2, height, width), dtype=np.uint8)
        self._state_type = emulator().ALEState
        self.watched = True
        self._sticks: list[bool] = []
        self.palette = np.zeros((256, 3), dtype=np.uint8)
        self.begin()

    def begin(self, state: bytes | None = None) -> None:
        """Begin the game, or take it up at a state."""
        if state is None:
            self.machine.reset_game()
        else:
            self.restore(state)
        self.frames = 0
        self.done = bytearray()
        self._held = self.actions[0]
        self._lives = self.machine.lives()
        self.lives_lost = 0
        self.last_reward = 0
        self.over = self.machine.game_over(with_truncation=False)
        self._look(0)
        self._last_two[1] = self._last_two[0]

    def act(self, action: int) -> int:
        """Hold an action for as many frames as the rules say, and return what it earned."""
        machine, skip = self.machine, self.rules.skip
        wanted = self.actions[action]
        earned = 0
        sticky = self.rules.sticky
        for frame in range(skip):
            if not (sticky and self._sticks_now()):
                self._held = wanted
            earned += machine.act(self._held)
            self.done.append(self._held.value)
            if frame == skip - 2 and self.watched:
                self._look(0)
            self.frames += 1
            if machine.game_over(with_truncation=False):
                self.over = True
                break
        if self.watched:
            self._look(1)
        lives = machine.lives()
        if lives < self._lives:
            self.lives_lost += self._lives - lives
            if self.rules.ends == "life":
                self.over = True
        self._lives = lives
        self.last_reward = earned
        return earned

    def try_act(self, action: int) -> int:
        """Act without looking, for those who try what will happen and then take the state up again."""
        earned = 0
        for _ in range(self.rules.skip):
            earned += self.machine.act(self.actions[action])
        self.over = bool(self.machine.game_over(with_truncation=False))
        return earned

    def play_frames(self, actions: Sequence[int]) -> int:
        """Play one frame for each action, as a person at 60 Hz does, and return what they earned.

        Actions are numbers among all 18; the picture afterwards is that of the last two frames.
        """
        earned = 0
        for place, action in enumerate(actions):
            if place == len(actions) - 1:
                self._last_two[0] = self._last_two[1]
                if place:
                    self._look(0)
            earned += self.machine.act(action)
            self.done.append(action)
            self.frames += 1
        self._look(1)
        lives = self.machine.lives()
        self.lives_lost += max(0, self._lives - lives)
        self._lives = lives
        self.over = bool(self.machine.game_over(with_truncation=False))
        return earned

    @property
    def cut(self) -> bool:
        """Return whether the frames are used up."""
        return self.frames >= self.rules.cap_frames

    @property
    def left(self) -> int:
        """Return for how many seconds of the console's time play may go on."""
        return max(0, self.rules.cap_frames - self.frames) // 60

    @property
    def ended(self) -> bool:
        """Return whether the episode is over or cut."""
        return self.over or self.cut

    def picture(self, out: Bytes | None = None) -> Bytes:
        """Return the grey picture after the last act: the brighter of two frames, where the rules pool them."""
        if not self.rules.pooling:
            out = self._last_two[1] if out is None else out
            out[...] = self._last_two[1]
            return out
        brighter: Bytes = np.maximum(self._last_two[0], self._last_two[1], out=out)
        return brighter

    def colours(self) -> Bytes:
        """Return the picture as a person sees it, in red, green and blue."""
        shown: Bytes = self.machine.getScreenRGB()
        return shown

    def indexed(self) -> Bytes:
        """Return the picture as numbers of colours, and learn what these colours are."""
        shown: Bytes = self.machine.getScreen()
        self.palette[shown.ravel()] = self.colours().reshape(-1, 3)
        return shown

    def memory(self) -> bytes:
        """Return the 128 bytes of the console's memory."""
        return bytes(self.machine.getRAM())

    @property
    def lives(self) -> int:
        """Return how many lives are left, as the emulator counts them."""
        return int(self.machine.lives())

    @property
    def frame(self) -> int:
        """Return how many frames have passed since the game was switched on."""
        return int(self.machine.getFrameNumber())

    def save(self) -> bytes:
        """Return the state of the console."""
        kept: bytes = self.machine.cloneState().serialize()
        return kept

    def restore(self, state: bytes) -> None:
        """Take up the state of the console; frames of the episode go on being counted."""
        self.machine.restoreState(self._state_type(state))

    def wait(self, frames: int) -> None:
        """Let frames pass in which nothing is done; they count as no frames of the episode."""
        for _ in range(frames):
            self.machine.act(self.actions[0])
            self.done.append(0)
        self._look(0)
        self._last_two[1] = self._last_two[0]

    def forget_sticks(self) -> None:
        """Draw the chance of sticky actions anew: another episode has chance of its own."""
        self._sticks = []

    def snapshot(self) -> dict[str, Any]:
        """Return all that the next act depends on, with what the emulator itself does not keep."""
        return {
            "state": self.machine.cloneSystemState().serialize(),
            "pictures": self._last_two.tobytes(),
            "held": self.actions.index(self._held),
            "sticks": list(self._sticks),
            "frames": self.frames,
            "lives": self._lives,
            "lives_lost": self.lives_lost,
            "over": self.over,
            # As text: a save of PyTorch that may hold data only cannot hold empty bytes.
            "done": self.done.hex(),
        }

    def take_up(self, kept: dict[str, Any]) -> None:
        """Take a snapshot up."""
        self.machine.restoreSystemState(self._state_type(kept["state"]))
        self._last_two[...] = np.frombuffer(kept["pictures"], dtype=np.uint8).reshape(self._last_two.shape)
        self._held = self.actions[kept["held"]]
        self._sticks = list(kept["sticks"])
        self.frames, self._lives = kept["frames"], kept["lives"]
        self.lives_lost, self.over = kept["lives_lost"], kept["over"]
        self.done = bytearray.fromhex(kept["done"])

    def _look(self, which: int) -> None:
        self.machine.getScreenGrayscale(self._last_two[which])

    def _sticks_now(self) -> bool:
        if not self._sticks:
            if self.rng is None:
                raise ValueError("Sticky actions need a generator to draw from.")
            self._sticks = (self.rng.random(STICKS) < self.rules.sticky).tolist()
        return self._sticks.pop()
