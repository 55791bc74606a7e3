"""Bank name: a file or folder, and behind it what its columns mean (`./data.csv#prompt=question#answer=label`)."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mensura.errors import BadParameter, unknown

FILES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".arrow")
"""How the files are called that a bank is read from."""
TASKS = (".yaml", ".yml")
SETTING = re.compile(r"#([^\W\d]\w*)=")


@dataclass(frozen=True)
class BankName:
    """A path and the settings behind it."""

    path: str
    settings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, name: str) -> "BankName":
        r"""Part a name; a `#` may also stand in a path and in a value.

        >>> BankName.read(r"./a#1.csv#prompt=# {question}\n#answer=label")
        BankName(path='./a#1.csv', settings={'prompt': '# {question}\n', 'answer': 'label'})
        """
        found = list(SETTING.finditer(name))
        # Where a path itself holds something like a setting, its end is known by how files are called.
        ends = [place for place, one in enumerate(found) if name[: one.start()].lower().endswith((*FILES, *TASKS))]
        settings = found[ends[0] if ends else 0 :] if ends or not name.lower().endswith((*FILES, *TASKS)) else []
        values: dict[str, str] = {}
        for place, one in enumerate(settings):
            end = settings[place + 1].start() if place + 1 < len(settings) else len(name)
            if one[1] in values:
                raise BadParameter(f"{name} says twice what {one[1]} is. Keep one of them.")
            values[one[1]] = name[one.end() : end].replace(r"\n", "\n").replace(r"\t", "\t")
        return cls(name[: settings[0].start()] if settings else name, values)

    @property
    def file(self) -> Path:
        """The file or folder, with `~` written out."""
        return Path(self.path).expanduser()

    @property
    def is_data(self) -> bool:
        """Whether items are read from it: from a file by its ending, or from a folder that is named as a path."""
        is_path = self.path.startswith((".", "/", "~"))
        return self.path.lower().endswith(FILES) or (is_path and (bool(self.settings) or self.file.is_dir()))

    def allow(self, *names: str) -> Mapping[str, str]:
        """Return the settings, or raise a sentence for one that there is not."""
        return allowed(self.settings, names, self.path)


def allowed(settings: Mapping[str, str], names: Collection[str], path: str) -> Mapping[str, str]:
    """Return settings, or raise a sentence for one that there is not."""
    for name in settings:
        if name not in names:
            see = f"There are {', '.join(names)}."
            raise BadParameter(f"{path}: {unknown('setting', name, known=names, see=see)}")
    return settings
