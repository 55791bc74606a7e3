"""Games played side by side for a learner, in this process or in processes of their own."""

import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import ROOMS
from mensura.catalog.arcade.world.rules import Rules
from mensura.errors import MensuraError

PATIENCE = 30.0
"""Seconds after which a process that gives no sign is looked at."""
FLAGS = ("over", "cut", "lost", "room", "start")


@dataclass(frozen=True)
class PlayGround:
    """What is played, by which rules, and from where.

    Parameters
    ----------
    game, rules
        The game and its rules.
    starts
        States that episodes begin at, drawn by chance; none for the beginning of the game.
    no_ops
        For how many frames at most nothing is done at the beginning of the game.
    seed
        From which the chance of every game comes.
    call
        How often training was resumed: games that begin anew must not repeat what they did.
    group
        Which of the groups that take turns it belongs to.
    """

    game: str
    rules: Rules
    starts: tuple[bytes, ...]
    no_ops: int
    seed: int
    call: int = 0
    group: int = 0


class GameSeat:
    """One game that is begun anew whenever it has ended.

    Parameters
    ----------
    ground
        What is played.
    number
        Which of the games side by side it is; its chance comes from this and the seed.
    """

    def __init__(self, ground: PlayGround, number: int) -> None:
        self.ground = ground
        self.rng = np.random.default_rng([ground.seed, 1, ground.call, ground.group, number])
        self.episode = GameEpisode(ground.game, ground.rules, self.rng)
        self.start = -1
        self._begin()

    def act(self, action: int) -> tuple[int, bool, bool, int]:
        """Act; return the reward, whether the game was over, whether it was cut, and how many lives were lost.

        A game that has ended is begun anew, so its picture is the first of the next.
        """
        episode = self.episode
        before = episode.lives_lost
        reward = episode.act(action)
        over, cut, lost = episode.over, episode.cut, episode.lives_lost - before
        if over or cut:
            self._begin()
        return reward, over, cut and not over, lost

    def snapshot(self) -> dict[str, Any]:
        """Return all that the next act depends on."""
        return {"episode": self.episode.snapshot(), "rng": self.rng.bit_generator.state, "start": self.start}

    def restore(self, kept: dict[str, Any]) -> None:
        """Take a snapshot up."""
        self.episode.take_up(kept["episode"])
        self.rng.bit_generator.state = kept["rng"]
        self.start = kept["start"]

    def _begin(self) -> None:
        starts = self.ground.starts
        if starts:
            self.start = int(self.rng.integers(len(starts)))
            self.episode.begin(starts[self.start])
            return
        self.episode.begin()
        if self.ground.no_ops:
            self.episode.wait(int(self.rng.integers(1, self.ground.no_ops + 1)))


class GameTable:
    """What games side by side write for the learner to read: pictures, rewards and flags, in memory both see.

    Parameters
    ----------
    games
        How many.
    height, width
        Of a picture.
    array
        Makes the memory, given a code of its type and a size.
    """

    def __init__(self, games: int, height: int, width: int, array: Any) -> None:
        self.shape = (games, height, width)
        self._pictures = array("B", games * height * width)
        self._rewards = array("f", games)
        self._actions = array("q", games)
        self._flags = array("i", games * len(FLAGS))

    @property
    def pictures(self) -> NDArray[np.uint8]:
        """Return the pictures."""
        return np.frombuffer(self._pictures, dtype=np.uint8).reshape(self.shape)

    @property
    def rewards(self) -> NDArray[np.float32]:
        """Return the rewards of the last act."""
        return np.frombuffer(self._rewards, dtype=np.float32)

    @property
    def actions(self) -> NDArray[np.int64]:
        """Return the actions to be done."""
        return np.frombuffer(self._actions, dtype=np.int64)

    @property
    def flags(self) -> NDArray[np.int32]:
        """Return whether each game was over or cut, lives lost, its room, and where it was begun."""
        return np.frombuffer(self._flags, dtype=np.int32).reshape(self.shape[0], len(FLAGS))


class Seats:
    """The games of one process: views of its rows of a table."""

    def __init__(self, ground: PlayGround, table: GameTable, places: range) -> None:
        self.players = [GameSeat(ground, number) for number in places]
        rows = slice(places.start, places.stop)
        self.pictures, self.rewards = table.pictures[rows], table.rewards[rows]
        self.actions, self.flags = table.actions[rows], table.flags[rows]
        self.room = ROOMS.get(self.players[0].episode.game)
        self.show()

    def show(self) -> None:
        """Write pictures as they are before the first act."""
        for place, player in enumerate(self.players):
            player.episode.picture(self.pictures[place])
            self._flag(place, player, False, False, 0)

    def step(self) -> None:
        """Do every game's action."""
        for place, player in enumerate(self.players):
            reward, over, cut, lost = player.act(int(self.actions[place]))
            self.rewards[place] = reward
            player.episode.picture(self.pictures[place])
            self._flag(place, player, over, cut, lost)

    def _flag(self, place: int, player: GameSeat, over: bool, cut: bool, lost: int) -> None:
        room = player.episode.machine.getRAM()[self.room] if self.room is not None else -1
        self.flags[place] = (over, cut, lost, room, player.start)


class GamesHere:
    """Games played in this process, one after the other."""

    def __init__(self, ground: PlayGround, groups: Sequence[range], tables: Sequence[GameTable]) -> None:
        self.seats = [Seats(ground, table, places) for places, table in zip(groups, tables, strict=True)]

    def send(self, group: int) -> None:
        """Have a group's actions done."""
        self.seats[group].step()

    def wait(self, group: int) -> None:
        """Wait until they are done."""

    def snapshot(self) -> list[Any]:
        """Return the snapshot of every player."""
        return [[player.snapshot() for player in seats.players] for seats in self.seats]

    def restore(self, kept: list[Any]) -> None:
        """Take snapshots up."""
        for seats, snapshots in zip(self.seats, kept, strict=True):
            for player, snapshot in zip(seats.players, snapshots, strict=True):
                player.restore(snapshot)
            seats.show()

    def close(self) -> None:
        """End nothing: there are no processes."""


class GameProcesses:
    """Games played in processes: the emulator holds the interpreter's lock, so threads would not help."""

    def __init__(self, ground: PlayGround, tables: Sequence[GameTable], processes: int, context: Any) -> None:
        self.asked = [[context.Semaphore(0) for _ in range(processes)] for _ in tables]
        self.done = [context.Semaphore(0) for _ in tables]
        self.processes = [
            context.Process(
                target=_play,
                args=(ground, tables, [asked[number] for asked in self.asked], self.done, number, processes),
                daemon=True,
            )
            for number in range(processes)
        ]
        for process in self.processes:
            process.start()

    def send(self, group: int) -> None:
        """Have a group's actions done."""
        for asked in self.asked[group]:
            asked.release()

    def wait(self, group: int) -> None:
        """Wait until they are done."""
        for _ in self.processes:
            while not self.done[group].acquire(timeout=PATIENCE):
                if not all(process.is_alive() for process in self.processes):
                    raise MensuraError(
                        "A process that played for the learner has ended. The last save is kept: resume."
                    )

    def snapshot(self) -> None:
        """Return nothing: games in processes are not kept, and begin anew when a learner goes on."""
        return None

    def restore(self, kept: Any) -> None:
        """Begin anew."""

    def close(self) -> None:
        """End the processes."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.join()


def _play(ground: PlayGround, tables: Sequence[GameTable], asked: Any, done: Any, number: int, processes: int) -> None:
    """Play the games of one process until it is ended."""
    seats = []
    for group, table in enumerate(tables):
        games = table.shape[0]
        places = range(games * number // processes, games * (number + 1) // processes)
        seats.append(Seats(replace(ground, group=group), table, places))
    for group in range(len(tables)):
        done[group].release()
    while True:
        for group, own in enumerate(seats):
            asked[group].acquire()
            own.step()
            done[group].release()


def seat(ground: PlayGround, *, games: int, processes: int) -> tuple[Any, list[GameTable]]:
    """Return games that are being played and the tables that show them: two groups with processes, else one."""
    first = GameEpisode(ground.game, ground.rules, np.random.default_rng(0))
    height, width = first.machine.getScreenDims()
    if processes == 0:
        table = GameTable(games, height, width, lambda code, size: np.zeros(size, dtype=np.dtype(code)))
        return GamesHere(ground, [range(games)], [table]), [table]
    context = multiprocessing.get_context("spawn")
    half = games // 2
    if half < processes:
        raise MensuraError(f"{processes} processes need at least {2 * processes} games; got {games}.")
    tables = [GameTable(half, height, width, context.RawArray) for _ in range(2)]
    return GameProcesses(ground, tables, processes, context), tables
