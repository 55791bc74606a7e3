"""Training a learner: act, remember, update, and say how it goes."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from mensura.catalog.arcade.learners.network import Shrinker, values
from mensura.catalog.arcade.learners.options import Options
from mensura.catalog.arcade.learners.playing import PlayGround, seat
from mensura.catalog.arcade.learners.replay import EDGE, Replay
from mensura.catalog.arcade.learners.torch_extra import import_torch
from mensura.catalog.arcade.learners.updating import Updater
from mensura.catalog.arcade.world.rules import Rules
from mensura.catalog.arcade.world.sight import SIDE
from mensura.errors import BadParameter, MensuraError

HELD = 256
"""States, drawn when learning begins, of which the mean greatest value is followed."""
RECENT = 100
"""Episodes over which the mean return is told."""


@dataclass(frozen=True)
class Course:
    """What a learner is trained on: all that its record must state.

    Parameters
    ----------
    game, setting, rules, options
        The game, the name of the setting and the rules it stands for, and the numbers of learning.
    frames
        For how many frames of the game in all.
    seed
        From which all chance comes.
    starts
        States that episodes begin at, with the name and nature of their set.
    games, processes
        How many games are played side by side, and in how many processes.
    start_hashes
        Hashes of the starts, by which an evaluation finds those that were trained at.
    """

    game: str
    setting: str
    rules: Rules
    options: Options
    frames: int
    seed: int = 1
    starts: tuple[bytes, ...] = ()
    starts_from: str = ""
    human: tuple[str, ...] = ()
    games: int = 1
    processes: int = 0
    start_hashes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.rules.sight == "ram":
            raise BadParameter("These learners see pictures; --sight ram is for agents of your own.")
        if self.options.method == "hcr" and not self.starts:
            raise BadParameter("hcr begins episodes at checkpoints: give --starts SET.")
        if self.frames < self.rules.skip * self.games:
            raise BadParameter(f"--frames must allow an act in each of {self.games} games; got {self.frames}.")

    @property
    def least_frames(self) -> int:
        """Return after how many frames the first update is made."""
        options, games = self.options, self.games
        # A transition is complete an act later, the last rows cannot be drawn, and an update is due after more acts.
        turns = max(5, 1 + ceil(options.warm_up_acts / games)) + ceil(options.acts_per_update / games) - 1
        return turns * games * self.rules.skip

    def as_json(self) -> dict[str, Any]:
        """Return what is stated in a learner's record."""
        return {
            "game": self.game,
            "setting": self.setting,
            "rules": self.rules.as_json(),
            "options": self.options.as_json(),
            "seed": self.seed,
            "starts": self.starts_from,
            "starts_in_set": len(self.starts),
            "start_hashes": list(self.start_hashes),
            "human": list(self.human),
            "games": self.games,
        }


class Training:
    """A learner at work.

    Parameters
    ----------
    course
        What it is trained on.
    device
        Where it learns.
    second
        A second memory, for methods that share batches: made by the call, which knows where it comes from.
    call
        How many calls have trained it before.
    """

    def __init__(self, course: Course, device: Any, second: Replay | None = None, *, call: int = 0) -> None:
        torch = import_torch()
        options, rules = course.options, course.rules
        if options.shares_batches != (second is not None):
            raise BadParameter(f"{options.method} {'needs' if options.shares_batches else 'has no'} second memory.")
        self.course, self.device = course, device
        self.rng = np.random.default_rng([course.seed, 2, call])
        training_rules = replace(rules, cap_frames=min(rules.cap_frames, options.cap_frames), ends="game")
        no_ops = 0 if course.starts else options.no_ops
        ground = PlayGround(course.game, training_rules, course.starts, no_ops, course.seed, call)
        self.world, self.tables = seat(ground, games=course.games, processes=course.processes)
        self.together = [table.shape[0] for table in self.tables]
        games = sum(self.together)
        wanted = min(options.memory_acts, course.frames // rules.skip + 16 * games)
        self.replay = Replay(max(wanted // games, EDGE + 8), games, device, prioritised=options.prioritised)
        self.actions = self._count_actions(ground)
        self.updater = Updater(self.actions, options, self.replay, second, seed=course.seed, call=call, device=device)
        _, height, width = self.tables[0].shape
        self.shrink = Shrinker(height, width, rules.sight, device)
        self.stacks = [torch.zeros((n, 4, SIDE, SIDE), dtype=torch.uint8, device=device) for n in self.together]
        self.rows = [0] * len(self.together)
        self.returns = [np.zeros(n) for n in self.together]
        self.acts = 0
        self.due = 0.0
        self.episodes = 0
        self.recent: deque[float] = deque(maxlen=RECENT)
        self.rooms: set[int] = set()
        self.begun_at: dict[int, int] = {}
        self.held: Any = None
        self.curve: list[dict[str, Any]] = []
        self.calls = 0
        self.refilled = False
        self.seconds = 0.0

    @staticmethod
    def _count_actions(ground: PlayGround) -> int:
        from mensura.catalog.arcade.world.episode import GameEpisode

        return len(GameEpisode(ground.game, ground.rules, np.random.default_rng(0)).actions)

    @property
    def frames(self) -> int:
        """Return how many frames of the game have been played: acts times the frames an act is held."""
        return self.acts * self.course.rules.skip

    def run(
        self,
        *,
        seconds: float = float("inf"),
        frames: int | None = None,
        until_return: float = float("inf"),
        tell_every: int = 250_000,
        tell: Callable[[dict[str, Any]], None] = lambda point: None,
        save_every: float = float("inf"),
        save: Callable[[], None] = lambda: None,
    ) -> dict[str, Any]:
        """Train until the frames or the seconds are used up, and return how it stands.

        It stops before when the mean of the last hundred episodes has come to `until_return`.
        """
        begun, first = time.monotonic(), self.frames
        goal = self.course.frames if frames is None else min(frames, self.course.frames)
        told, saved = self.frames // tell_every, begun
        self.calls += 1
        stood = self.seconds
        while self.frames < goal:
            for group in range(len(self.tables)):
                self._turn(group)
            self._learn()
            now = time.monotonic()
            self.seconds = stood + now - begun
            if self.frames // tell_every > told:
                told = self.frames // tell_every
                self._check()
                self.curve.append(self.standing())
                tell(self.curve[-1])
                if len(self.recent) == RECENT and float(np.mean(self.recent)) >= until_return:
                    break
            if now - begun > seconds:
                break
            if now - saved > save_every:
                save()
                saved = now
        self._check()
        standing = self.standing()
        lasted = time.monotonic() - begun
        return {**standing, "fps": round((self.frames - first) / lasted, 1) if lasted > 0 else None}

    def standing(self) -> dict[str, Any]:
        """Return how training stands: counts with their units, mean return, coverage and the mean greatest value."""
        return {
            "frames": self.frames,
            "acts": self.acts,
            "updates": self.updater.updates,
            "episodes": self.episodes,
            "return_recent": round(float(np.mean(self.recent)), 3) if self.recent else None,
            "rooms": len(self.rooms) if self.rooms else None,
            "q_mean": self.mean_value(),
            "epsilon": round(self.course.options.epsilon(self.frames), 4),
            "loss": float(self.updater.loss) if self.updater.updates else None,
            "seconds": round(self.seconds, 1),
        }

    def mean_value(self) -> float | None:
        """Return the mean greatest predicted value over the states held out when learning began."""
        if self.held is None:
            return None
        with import_torch().no_grad():
            return float(values(self.updater.network, self.held).max(dim=1).values.mean())

    def close(self) -> None:
        """End what plays."""
        self.world.close()

    def _turn(self, group: int) -> None:
        """Read what a group's last acts came to, see, and act."""
        torch, options = import_torch(), self.course.options
        self.world.wait(group)
        table, row = self.tables[group], self.rows[group]
        before = sum(self.together[:group])
        columns = slice(before, before + self.together[group])
        over, cut, lost, room, start = table.flags.T.copy()
        first = np.ones(len(over), dtype=bool)
        if row:
            first = self._remember(group, row - 1, columns, over, cut, lost)
        self._count(group, over, cut, room, start, new=row == 0)
        begins = torch.from_numpy(first).to(self.device)
        small = self.shrink(torch.from_numpy(table.pictures))
        self.replay.see(row, columns, small, begins)
        stacks = self.stacks[group]
        shifted = stacks[:, 1:] * ~begins[:, None, None, None]
        self.stacks[group] = torch.cat([shifted, small[:, None]], dim=1)
        actions = self._choose(group, options)
        self.replay.acted(row, columns, torch.from_numpy(actions).to(self.device))
        table.actions[:] = actions
        self.world.send(group)
        self.acts += self.together[group]
        self.rows[group] = row + 1
        if group == len(self.tables) - 1:
            self.replay.completed(row)

    def _remember(self, group: int, row: int, columns: slice, over: Any, cut: Any, lost: Any) -> Any:
        torch, options = import_torch(), self.course.options
        rewards = self.tables[group].rewards.copy()
        self.returns[group] += rewards
        # Rewards are clipped to 1 and the price of a life comes on top, so that it cannot hide a reward.
        clipped = np.clip(rewards, -1, 1) - options.life_penalty * (lost > 0)
        died = (lost > 0) & options.life_ends
        terminal = (over > 0) | died
        usable = (cut == 0) | terminal
        on = [torch.from_numpy(what).to(self.device) for what in (clipped.astype(np.float32), terminal, usable)]
        self.replay.earned(row, columns, *on)
        for place in np.flatnonzero((over > 0) | (cut > 0)):
            self.recent.append(float(self.returns[group][place]))
            self.returns[group][place] = 0.0
            self.episodes += 1
        first: Any = (over > 0) | (cut > 0) | died
        return first

    def _count(self, group: int, over: Any, cut: Any, room: Any, start: Any, *, new: bool) -> None:
        self.rooms.update(int(one) for one in np.unique(room) if one >= 0)
        for place in range(len(over)) if new else np.flatnonzero((over > 0) | (cut > 0)):
            at = int(start[place])
            self.begun_at[at] = self.begun_at.get(at, 0) + 1

    def _choose(self, group: int, options: Options) -> Any:
        torch = import_torch()
        n = self.together[group]
        chance = 1.0 if self._warming_up else options.epsilon(self.frames)
        at_random = self.rng.random(n) < chance
        drawn = self.rng.integers(self.actions, size=n)
        if at_random.all():
            return drawn
        with torch.no_grad():
            best = values(self.updater.network, self.stacks[group]).argmax(dim=1).cpu().numpy()
        return np.where(at_random, drawn, best)

    @property
    def _warming_up(self) -> bool:
        """Return whether the memory holds too little to learn from; after a save without memory it is refilled."""
        remembered = self.replay.complete * sum(self.together)
        return remembered < self.course.options.warm_up_acts and not self.refilled

    def _learn(self) -> None:
        options = self.course.options
        remembered = self.replay.complete * sum(self.together)
        if remembered < options.warm_up_acts or self.replay.filled < 1:
            return
        if self.held is None:
            self._hold()
        before = self.acts - sum(self.together)
        self.due += sum(self.together) / options.acts_per_update
        # The target is copied where it is due, between updates, not after all of them.
        self.updater.beta.fill_(0.4 + 0.6 * min(1.0, self.frames / self.course.frames))
        times, self.due = int(self.due), self.due - int(self.due)
        if before // options.target_acts != self.acts // options.target_acts:
            self.updater.copy_target()
        self.updater.update(times)

    def _hold(self) -> None:
        torch = import_torch()
        chance = torch.from_numpy(np.random.default_rng([self.course.seed, 3]).random((2, HELD), dtype=np.float32))
        rows, columns = self.replay.draw(chance.to(self.device))
        self.held = self.replay.stacks(rows, columns)[0].clone()

    def _check(self) -> None:
        if self.updater.updates and not self.updater.finite():
            raise MensuraError(
                f"The network holds values that are not numbers after {self.updater.updates} updates. The last save is "
                "kept; a smaller --rate may help."
            )
