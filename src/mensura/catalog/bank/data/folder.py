"""Dataset folder: a Hugging Face dataset on disk, saved by `save_to_disk` or downloaded as a repository."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mensura.catalog.bank.data.file import Rows, class_labels, open_file
from mensura.catalog.bank.data.text import parse_file
from mensura.catalog.bank.name import FILES
from mensura.errors import BadFile, BadParameter, unknown
from mensura.yaml_file import parse_yaml

SHARD = re.compile(r"(?:.*/)?([\w.]+)-\d{5}-of-\d{5}\.\w+$")
WORD = re.compile(r"(?:^|[^a-z])(train|training|validation|valid|val|dev|test|testing|eval|evaluation)(?:[^a-z]|$)")
MEANS = {"training": "train", "valid": "validation", "val": "validation", "dev": "validation"}
MEANS |= {"testing": "test", "eval": "test", "evaluation": "test"}
ASIDE = {"dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json"}
"""Files of JSON that hold no rows."""


@dataclass(frozen=True)
class DatasetFolder:
    """The files of each split, and the names of numbered classes."""

    folder: Path
    splits: Mapping[str, tuple[Path, ...]]
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path, *, config: str = "") -> "DatasetFolder":
        """Read how a folder is laid out; `config` names one of several configurations of a repository."""
        if (folder / "dataset_dict.json").is_file():
            names = _listed(folder / "dataset_dict.json", "splits")
            return cls(folder, {name: _saved(folder / name) for name in names}, _features(folder / names[0]))
        if (folder / "state.json").is_file():
            return cls(folder, {"": _saved(folder)}, _features(folder))
        return cls._of_repository(folder, config)

    @classmethod
    def _of_repository(cls, folder: Path, config: str) -> "DatasetFolder":
        card = _card(folder / "README.md")
        configs = {str(one.get("config_name")): one for one in _dicts(card.get("configs"))}
        if config and config not in configs:
            see = f"It has {', '.join(configs) or 'none'}."
            raise BadFile(f"{folder}: {unknown('configuration', config, known=configs, see=see)}")
        if not config and len(configs) > 1:
            config = next((name for name, one in configs.items() if name == "default" or one.get("default")), "")
            if not config:
                names = ", ".join(configs)
                raise BadFile(f"{folder} has the configurations {names}. Name one: #config={next(iter(configs))}")
        chosen = configs.get(config) or next(iter(configs.values()), {})
        infos = _dicts(card.get("dataset_info"))
        info = next((one for one in infos if one.get("config_name") in (None, chosen.get("config_name"))), {})
        return cls(folder, _declared(folder, chosen) or _by_name(folder), _card_labels(info.get("features")))

    def rows(self, split: str = "") -> Rows:
        """Return the rows of a split; it need not be named where there is only one."""
        found = self.splits.get(split) or self.splits.get(MEANS.get(split, ""))
        if not split and len(self.splits) == 1:
            found = next(iter(self.splits.values()))
        if not found and not self.splits:
            raise BadFile(f"{self.folder} holds no files of rows: none ends in {', '.join(FILES)}.")
        if not found and split:
            names = [name for name in self.splits if name]
            see = f"It has {', '.join(names)}." if names else "It has no splits: leave out #split."
            raise BadFile(f"{self.folder}: {unknown('split', split, known=names, see=see)}")
        if not found:
            names = list(self.splits)
            raise BadFile(f"{self.folder} has the splits {', '.join(names)}. Name one: {self.folder}#split={names[-1]}")
        return Rows(tuple(open_file(path) for path in found), self.labels)


def open_rows(path: Path, *, split: str = "", config: str = "") -> Rows:
    """Open the rows of a file, or of a split of a folder."""
    if path.is_dir():
        return DatasetFolder.read(path, config=config).rows(split)
    if config:
        raise BadParameter(f"{path} is a file and has no configurations. Leave out #config.")
    return Rows((open_file(path),), {})


def split_files(paths: Iterable[Path], folder: Path) -> dict[str, tuple[Path, ...]]:
    """Part files by the split that their names tell, as the `datasets` library does; if none tells, all are `train`."""
    found: dict[str, list[Path]] = {}
    for path in paths:
        place = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name
        shard, word = SHARD.match(place), WORD.search(place.lower())
        name = shard[1] if shard else MEANS.get(word[1], word[1]) if word else ""
        found.setdefault(name, []).append(path)
    if len(found) == 1 and "" in found:
        return {"train": tuple(found[""])}
    return {name: tuple(files) for name, files in found.items() if name}


def _saved(folder: Path) -> tuple[Path, ...]:
    return tuple(folder / str(one.get("filename")) for one in _listed(folder / "state.json", "_data_files"))


def _listed(path: Path, key: str) -> list[Any]:
    data = parse_file(path)
    found = data.get(key) if isinstance(data, dict) else None
    if not isinstance(found, list) or not found:
        raise BadFile(f"{path} lists no {key.strip('_').replace('_', ' ')}. Save the dataset again.")
    return found


def _features(folder: Path) -> dict[str, tuple[str, ...]]:
    info = folder / "dataset_info.json"
    return class_labels(parse_file(info).get("features")) if info.is_file() else {}


def _by_name(folder: Path) -> dict[str, tuple[Path, ...]]:
    """Part the files of a folder into splits as the `datasets` library does: by their names."""
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in FILES and path.name not in ASIDE)
    hidden = {path for path in files if any(part.startswith(".") for part in path.relative_to(folder).parts)}
    return split_files([path for path in files if path not in hidden], folder)


def _declared(folder: Path, config: Mapping[str, Any]) -> dict[str, tuple[Path, ...]]:
    """Find the files that the card of a repository lists for a configuration."""
    if config.get("data_dir"):
        return _by_name(folder / str(config["data_dir"]))
    listed = config.get("data_files") or []
    splits: dict[str, tuple[Path, ...]] = {}
    plain = [listed] if isinstance(listed, str) else [one for one in listed if isinstance(one, str)]
    if plain:
        splits = split_files(_matching(folder, plain), folder)
    for one in _dicts(listed):
        paths = one.get("path") or []
        splits[str(one.get("split"))] = _matching(folder, [paths] if isinstance(paths, str) else paths)
    return splits


def _matching(folder: Path, patterns: Iterable[str]) -> tuple[Path, ...]:
    found = tuple(path for pattern in patterns for path in sorted(folder.glob(pattern)))
    if not found:
        raise BadFile(f"{folder} lacks the files {', '.join(patterns)} that its README.md names. Download them.")
    return found


def _card(path: Path) -> Mapping[str, Any]:
    """Read what stands between two lines of dashes at the head of a README."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    found = re.match(r"\ufeff?---\r?\n(.*?)\r?\n---", text, re.S)
    data = parse_yaml(found[1], path) if found else {}
    return data if isinstance(data, Mapping) else {}


def _card_labels(features: Any) -> dict[str, tuple[str, ...]]:
    """Find the names of numbered classes in the card of a repository."""
    found = {}
    for one in _dicts(features):
        dtype = one.get("dtype")
        label = dtype.get("class_label") if isinstance(dtype, Mapping) else None
        names = label.get("names") if isinstance(label, Mapping) else None
        if isinstance(names, Mapping):
            names = list(names.values())
        if names:
            found[str(one.get("name"))] = tuple(map(str, names))
    return found


def _dicts(listed: Any) -> list[Mapping[str, Any]]:
    """Return the mappings of a list, or the one mapping that stands for a list."""
    if isinstance(listed, Mapping):
        return [listed]
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
