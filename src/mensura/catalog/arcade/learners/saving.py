"""Saves of learners: whole on a CPU, so that they go on to the same bits; small on a GPU, so that they travel."""

import json
import zlib
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.arcade.learners.network import make_network
from mensura.catalog.arcade.learners.torch_extra import import_torch
from mensura.catalog.arcade.learners.training import RECENT, Training
from mensura.errors import BadFile, BadParameter
from mensura.json_file import loads

FORMAT = "mensura-learner-1"


def save(training: Training, path: Path, *, whole: bool) -> None:
    """Write a learner to a file; what was there is replaced only when the new file is complete.

    Parameters
    ----------
    training
        The learner.
    path
        Where.
    whole
        Whether replay memory and games are kept too, so that it goes on to the same bits. Else the network is kept
        exactly and the optimiser's means in 16 bits: the memory is refilled by playing when it goes on.
    """
    torch = import_torch()
    updater = training.updater
    small = torch.float32 if whole else torch.bfloat16
    kept: dict[str, Any] = {
        "network": _parts(updater.network.state_dict(), torch.float32),
        "mean": [part.detach().to("cpu", small) for part in updater.mean],
        "square": [part.detach().to("cpu", small) for part in updater.square],
        "generator": updater.generator.get_state(),
    }
    if training.held is not None:
        kept["held"] = _packed(training.held.cpu().numpy())
    if whole:
        kept["target"] = _parts(updater.target.state_dict(), torch.float32)
        kept["replay"] = {name: tensor.cpu() for name, tensor in training.replay.tensors().items()}
        kept["stacks"] = [stack.cpu() for stack in training.stacks]
        kept["world"] = training.world.snapshot()
        kept["tables"] = [
            [torch.from_numpy(part.copy()) for part in (table.pictures, table.rewards, table.actions, table.flags)]
            for table in training.tables
        ]
        kept["loss"] = updater.loss.cpu()
    kept["told"] = json.dumps(_told(training, whole))
    part = path.with_name(path.name + ".part")
    torch.save(kept, part)
    part.replace(path)


def resume(training: Training, path: Path) -> None:
    """Make a learner go on where a save was made."""
    torch = import_torch()
    kept, told = read_save(path)
    given = training.course.as_json()
    for name in ("game", "setting", "rules", "options", "seed", "starts", "games"):
        if told["course"][name] != given[name]:
            raise BadParameter(
                f"{path} was trained with {name.replace('_', ' ')} {_short(told['course'][name], given[name])}. "
                "Resume with the same settings, or begin another file."
            )
    if told["course"].get("start_hashes", given["start_hashes"]) != given["start_hashes"]:
        raise BadParameter(f"{path} was trained at other starts. Resume with the same starts, or begin another file.")
    updater = training.updater
    with torch.no_grad():
        updater.network.load_state_dict(kept["network"])
        for name in ("mean", "square"):
            for part, was in zip(getattr(updater, name), kept[name], strict=True):
                part.copy_(was.to(part.device, part.dtype))
    updater.copy_target()
    updater.updates, updater.drawn = told["updates"], told["drawn"]
    training.acts, training.due, training.episodes = told["acts"], told["due"], told["episodes"]
    training.recent = deque(told["recent"], maxlen=RECENT)
    training.rooms = set(told["rooms"])
    training.begun_at = {int(at): times for at, times in told["begun_at"].items()}
    training.curve, training.calls, training.seconds = told["curve"], told["calls"], told["seconds"]
    if "held" in kept:
        training.held = torch.from_numpy(_unpacked(kept["held"])).to(training.device)
    training.refilled = True
    if told["whole"] and isinstance(kept.get("world"), list):
        _resume_whole(training, kept, told)


def read_save(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a save holds, and what it tells."""
    torch = import_torch()
    try:
        kept = torch.load(path, map_location="cpu", weights_only=True)
        told = loads(kept["told"])
        if told["format"] != FORMAT:
            raise ValueError(f"its format is {told['format']!r}")
    except FileNotFoundError:
        raise BadFile(f"There is no save {path}.") from None
    except Exception as error:
        # PyTorch raises what its reader of archives and of pickles happens to meet.
        first = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise BadFile(f"{path} cannot be read as a learner ({first}). Is it cut short?") from None
    return kept, told


def stated_in(path: Path) -> dict[str, Any]:
    """Return what a save states of its learner: game, setting, method, seed, frames, updates, starts, what is human."""
    told = read_save(path)[1]
    course = told["course"]
    stated = {name: course[name] for name in ("game", "setting", "seed", "starts", "human")}
    return stated | {"method": course["options"]["method"], "frames": told["frames"], "updates": told["updates"]}


def trained_at(path: Path) -> frozenset[str] | None:
    """Return the hashes of the starts that a save was trained at; None where it has starts and does not know them."""
    course = read_save(path)[1]["course"]
    if "start_hashes" not in course:
        return None if course["starts_in_set"] else frozenset()
    return frozenset(course["start_hashes"])


def load_network(path: Path) -> tuple[Any, dict[str, Any]]:
    """Return the network of a save, ready to play, and what the save tells of it."""
    torch = import_torch()
    kept, told = read_save(path)
    network = make_network(told["actions"])
    network.load_state_dict(kept["network"])
    if not all(bool(torch.isfinite(part).all()) for part in network.parameters()):
        raise BadFile(f"The network in {path} holds values that are not numbers, so it prefers no action.")
    network.requires_grad_(False)
    return network, told


def _resume_whole(training: Training, kept: dict[str, Any], told: dict[str, Any]) -> None:
    updater = training.updater
    updater.target.load_state_dict(kept["target"])
    updater.generator.set_state(kept["generator"])
    updater.loss.copy_(kept["loss"])
    training.rng.bit_generator.state = told["rng"]
    training.rows = list(told["rows"])
    training.returns = [np.array(returns) for returns in told["returns"]]
    training.stacks = [stack.to(training.device) for stack in kept["stacks"]]
    training.replay.load(kept["replay"], told["complete"])
    training.world.restore(kept["world"])
    for table, parts in zip(training.tables, kept["tables"], strict=True):
        views: tuple[Any, ...] = (table.pictures, table.rewards, table.actions, table.flags)
        for view, part in zip(views, parts, strict=True):
            view[...] = part.numpy()
    training.refilled = False


def _told(training: Training, whole: bool) -> dict[str, Any]:
    updater = training.updater
    return {
        "format": FORMAT,
        "course": training.course.as_json(),
        "actions": training.actions,
        "whole": whole,
        "frames": training.frames,
        "acts": training.acts,
        "updates": updater.updates,
        "drawn": updater.drawn,
        "due": training.due,
        "episodes": training.episodes,
        "recent": list(training.recent),
        "rooms": sorted(training.rooms),
        "begun_at": training.begun_at,
        "curve": training.curve,
        "calls": training.calls,
        "seconds": training.seconds,
        "rng": training.rng.bit_generator.state,
        "rows": training.rows,
        "returns": [returns.tolist() for returns in training.returns],
        "complete": training.replay.complete,
    }


def _parts(state: dict[str, Any], kind: Any) -> dict[str, Any]:
    return {name: part.detach().to("cpu", kind).clone() for name, part in state.items()}


def _packed(array: Any) -> dict[str, Any]:
    return {"shape": list(array.shape), "bytes": zlib.compress(array.tobytes(), 6)}


def _unpacked(packed: dict[str, Any]) -> Any:
    return np.frombuffer(zlib.decompress(packed["bytes"]), dtype=np.uint8).reshape(packed["shape"]).copy()


def _short(was: Any, now: Any) -> str:
    if isinstance(was, dict) and isinstance(now, dict):
        name = next(name for name in was if was[name] != now.get(name))
        return f"{name} {was[name]!r}, not {now.get(name)!r}"
    return f"{was!r}, not {now!r}"
