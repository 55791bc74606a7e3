"""Reader of the files that the authors of human checkpoint replay published in 2016, in the emulator of that time.

A state of 2016 is five integers (two paddles, frame, frame of the episode, length) and the console as text and
numbers. Today's has two integers more, a generator's state after the system's cycles, and eight bytes at its end that
the length does not count. From "M6502Low" up to there the two are equal byte by byte, so an old state becomes a new one
by putting that part, and the cycles, into a fresh state of the same cartridge.
"""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.arcade.starts.start import CORE, Start, StartSet
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import games, score_in, version
from mensura.catalog.arcade.world.rules import Rules
from mensura.errors import BadFile
from mensura.table_file import read_array

OLD_HEAD, NEW_HEAD, NEW_TAIL = 20, 28, 8
SYSTEM = b"\x06\x00\x00\x00System"
M6532 = b"\x05\x00\x00\x00M6532\x80\x00\x00\x00"
MEMORY = 128


@dataclass(frozen=True)
class Import:
    """A converted file.

    Parameters
    ----------
    found
        The starts.
    ram_equal
        In how many of them the emulator, having taken the state up, holds the memory that the file holds.
    """

    found: StartSet
    ram_equal: int

    def as_json(self) -> dict[str, Any]:
        """Return what came of the file."""
        starts = self.found.starts
        return {
            "states": len(starts),
            "distinct": self.found.distinct,
            "ram_equal": self.ram_equal,
            "sessions": len({start.session for start in starts}),
            "inferred": True,
            "train": sum(start.split == "train" for start in starts),
            "test": sum(start.split == "test" for start in starts),
        }


def import_states(path: Path, *, game: str) -> Import:
    """Read a file of states of 2016, and prove of each that its memory is the same in today's emulator.

    Parameters
    ----------
    path
        A .npy file: one state a row, bytes as whole numbers of any type.
    game
        Which game it is of; nothing where the cartridge's sum in the file decides.
    """
    rows = _rows(path)
    episode = GameEpisode(game or _game_of(rows[0], path), Rules())
    equal, starts, sessions = 0, [], _sessions([_frame(row) for row in rows])
    for number, (row, session) in enumerate(zip(rows, sessions, strict=True), 1):
        if episode.rom.encode() not in row[:80]:
            raise BadFile(
                f"{path}, row {number}, was made with another cartridge: not the one of {episode.game} with the MD5 "
                f"sum {episode.rom}."
            )
        try:
            state = convert(row, fresh=episode.save())
        except ValueError as error:
            raise BadFile(f"{path}, row {number}, is not a state of the emulator of 2016: {error}.") from None
        episode.begin(state)
        memory = episode.memory()
        equal += memory == old_memory(row)
        starts.append(
            Start(
                state=episode.save(),
                memory=memory,
                frame=episode.frame,
                score=score_in(episode.game, memory),
                lives=episode.lives,
                made="human",
                by="authors of human checkpoint replay, 2016",
                session=session,
                inferred=True,
            )
        )
    from mensura.catalog.arcade.starts.splitting import split_sessions

    split = split_sessions(tuple(starts))
    found = StartSet(episode.game, episode.rom, version(), split, f"{path.name}, states of 2016 converted")
    return Import(found, equal)


def convert(old: bytes, *, fresh: bytes) -> bytes:
    """Return a state of 2016 in today's form, with the help of any state of the same cartridge."""
    head = struct.unpack("<5i", old[:OLD_HEAD])
    if head[4] != len(old) - OLD_HEAD:
        raise ValueError(f"it says to be {head[4]} bytes long after its head, and is {len(old) - OLD_HEAD}")
    old_core, new_core = old.find(CORE), fresh.find(CORE)
    old_system, new_system = old.find(SYSTEM), fresh.find(SYSTEM)
    if min(old_core, old_system) < 0:
        raise ValueError("it holds no processor")
    cycles = old[old_system + len(SYSTEM) : old_system + len(SYSTEM) + 4]
    generator = fresh[new_system + len(SYSTEM) + 4 : new_core]
    counted = struct.unpack("<i", fresh[24:NEW_HEAD])[0]
    last = fresh[NEW_HEAD + counted - 4 : NEW_HEAD + counted]
    body = fresh[NEW_HEAD : new_system + len(SYSTEM)] + cycles + generator + old[old_core:] + last
    numbers = (*head[:4], *struct.unpack("<2i", fresh[16:24]), len(body))
    return struct.pack("<7i", *numbers) + body + fresh[-NEW_TAIL:]


def old_memory(row: bytes) -> bytes:
    """Return the 128 bytes of memory that a state of 2016 holds: each is written as a number of four bytes."""
    place = row.find(M6532) + len(M6532)
    return bytes(row[place : place + 4 * MEMORY : 4])


def _frame(row: bytes) -> int:
    return int(struct.unpack("<5i", row[:OLD_HEAD])[2])


def _sessions(frames: list[int]) -> list[str]:
    """Name the sessions that frames came from, in file order: as long as they rise it is one session."""
    names, session = [], 1
    for place, frame in enumerate(frames):
        if place and frame < frames[place - 1]:
            session += 1
        names.append(f"run {session}")
    return names


def _rows(path: Path) -> list[bytes]:
    whole = read_array(path)
    if whole.ndim != 2 or not len(whole):
        raise BadFile(f"{path} holds an array of shape {whole.shape}; states of 2016 are one a row.")
    if whole.dtype.kind not in "iuf" or not np.all((whole >= 0) & (whole <= 255) & (whole == np.floor(whole))):
        raise BadFile(f"{path} holds values that are not bytes; states of 2016 are rows of whole numbers 0 to 255.")
    return [row.tobytes() for row in whole.astype(np.uint8)]


def _game_of(row: bytes, path: Path) -> str:
    from mensura.catalog.arcade.world.games import cartridge

    sums = {cartridge(game)[1]: game for game in games()}
    told = row[OLD_HEAD + 8 : OLD_HEAD + 40].decode("latin-1")
    if told not in sums:
        raise BadFile(f"{path} does not say which game it is of: no cartridge has the MD5 sum {told!r}. Give --game.")
    return sums[told]
