"""Sets of starts as files: one JSON object, states packed."""

import base64
import json
import zlib
from pathlib import Path
from typing import Any

from mensura.catalog.arcade.starts.start import Start, StartSet, start_json
from mensura.catalog.arcade.world.games import cartridge, find_game, version
from mensura.errors import BadFile
from mensura.json_file import loads

FORMAT = "mensura-starts-1"
READ_ALIKE = frozenset({"0.12.0", "0.12.1"})
"""Versions of the emulator that write states alike."""


def write_starts(found: StartSet, path: Path) -> None:
    """Write a set to a file."""
    states = [
        start_json(start) | {"state": base64.b64encode(zlib.compress(start.state, 9)).decode()}
        for start in found.starts
    ]
    head = {"format": FORMAT, "game": found.game, "rom": found.rom, "emulator": found.emulator, "source": found.source}
    kept = path.with_name(path.name + ".part")
    kept.write_text(json.dumps({**head, "states": states}, indent=1) + "\n", encoding="utf-8")
    kept.replace(path)


def read_starts(path: Path, *, game: str = "") -> StartSet:
    """Read a set from a file of ours or of the authors of human checkpoint replay, and check that it can be played.

    Parameters
    ----------
    path
        The file.
    game
        The game it must be of; for the authors' files, which do not say, the game they are read as.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BadFile(f"The starts {path} cannot be read: {error.strerror}.") from None
    if text[:6] == b"\x93NUMPY":
        from mensura.catalog.arcade.starts.authors import import_states

        return import_states(path, game=game).found
    found = _parse(text, path)
    if game and find_game(game) != found.game:
        raise BadFile(f"{path} holds starts of {found.game}, not of {find_game(game)}.")
    rom = cartridge(found.game)[1]
    if found.rom != rom:
        raise BadFile(
            f"{path} was made with another cartridge of {found.game}: its MD5 sum is {found.rom}, the installed one "
            f"has {rom}. Point ALE_ROMS_DIR to the cartridge it was made with."
        )
    here = version()
    if found.emulator != here and not {found.emulator, here} <= READ_ALIKE:
        raise BadFile(
            f"{path} holds states of ale-py {found.emulator}, and ale-py {here} is installed, which may read them "
            f"wrongly. Install the version it was made with, or record the starts anew."
        )
    return found


def _parse(text: bytes, path: Path) -> StartSet:
    try:
        told = loads(text)
        if not isinstance(told, dict) or told.get("format") != FORMAT:
            raise BadFile(f'{path} is not a set of starts: it does not say "format": "{FORMAT}".')
        starts = tuple(_start(one) for one in told["states"])
        if not starts:
            raise BadFile(f"{path} holds no start.")
        return StartSet(find_game(told["game"]), told["rom"], told["emulator"], starts, told.get("source", ""))
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise BadFile(
            f"{path} cannot be read as a set of starts ({type(error).__name__}: {error}). Is it cut short?"
        ) from None


def _start(told: dict[str, Any]) -> Start:
    start = Start(
        state=zlib.decompress(base64.b64decode(told["state"], validate=True)),
        memory=bytes.fromhex(told["ram"]),
        frame=int(told["frame"]),
        score=None if told["score"] is None else int(told["score"]),
        lives=int(told["lives"]),
        made=told["made"],
        by=told["by"],
        session=told["session"],
        split=told["split"],
        inferred=bool(told["inferred"]),
    )
    if start.id != told["id"]:
        raise ValueError(f"state {told['id']} has another content than when it was written")
    return start
