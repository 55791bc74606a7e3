"""The games the emulator can play, found by name."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from mensura.errors import MissingExtra, unknown

ROOMS: Mapping[str, int] = {"montezuma_revenge": 3}
"""At which byte of its memory a game keeps the number of the room, where that is known."""

SCORES: Mapping[str, tuple[int, int, int]] = {
    "montezuma_revenge": (0x13, 0x14, 0x15),
    "private_eye": (0x48, 0x49, 0x4A),
}
"""At which bytes a game keeps its score, two decimal digits each, highest first; read from states of the authors."""


def emulator() -> Any:
    """Return the package of the emulator, which is GPL-2.0 and so only imported when a game is played."""
    try:
        import ale_py
    except ImportError:
        raise MissingExtra("Games of the arcade", package="ale-py", extra="arcade") from None
    return ale_py


def version() -> str:
    """Return which version of the emulator is installed."""
    return str(emulator().__version__)


@cache
def games() -> tuple[str, ...]:
    """Return the names of all games whose cartridges come with the emulator."""
    emulator()
    from ale_py import roms

    return tuple(sorted(roms.get_all_rom_ids()))


def find_game(name: str) -> str:
    """Return the game of a name, however its words are joined: `montezuma-revenge`, `MontezumaRevenge`."""
    plain = {game.replace("_", ""): game for game in games()}
    found = plain.get(_plain(name))
    if found is None:
        near = [game.replace("_", "-") for game in games()]
        raise unknown("game", name, known=near, see="`mensura arcade games` shows all of them.")
    return found


def cartridge(game: str) -> tuple[Path, str]:
    """Return the file of a game and the MD5 sum it is known by."""
    from ale_py import roms

    name = find_game(game)
    path = roms.get_rom_path(name)
    if path is None:
        raise unknown("game", game, known=games(), see="`mensura arcade games` shows all of them.")
    return path, _sum(path)


def score_in(game: str, memory: bytes) -> int | None:
    """Read the score off a game's memory, or None where it is not known where the game keeps it."""
    places = SCORES.get(game)
    if places is None:
        return None
    score = 0
    for place in places:
        digits = memory[place]
        score = score * 100 + (digits >> 4) * 10 + (digits & 15)
    return score


def room_in(game: str, memory: bytes) -> int | None:
    """Read the number of the room off a game's memory, or None where it is not known."""
    return memory[ROOMS[game]] if game in ROOMS else None


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


@cache
def _sum(path: Path) -> str:
    import hashlib

    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
