"""Task dataset: the rows of a task, split by split; they must lie on this machine."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from glob import glob
from pathlib import Path
from typing import Any

from mensura.catalog.bank.data.file import DataFile, Placed, Rows, open_file
from mensura.catalog.bank.data.folder import DatasetFolder
from mensura.catalog.bank.data.text import JsonFile
from mensura.catalog.bank.lm_eval.task import HarnessTask
from mensura.errors import BadFile

FORMATS = {"json": (".json", ".jsonl", ".ndjson"), "csv": (".csv", ".tsv"), "parquet": (".parquet",)}
UNKNOWN = {"", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A"}
UNKNOWN |= {"NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
NUMBER = r"(?ia)\s*[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?)\s*"
TRUTHS = {"true": True, "false": False}
READ = ("data_files", "data_dir", "field", "sep", "delimiter", "trust_remote_code")


class TaskDataset:
    """The dataset of a task, split by split."""

    def __init__(self, task: HarnessTask) -> None:
        self.task = task
        self.given: Mapping[str, Any] = task.get("dataset_kwargs", {})
        self.files: set[str] = set()
        for key in self.given:
            if key not in READ:
                raise BadFile(f"{task.path}: `dataset_kwargs: {key}` is not supported; these are: {', '.join(READ)}.")

    def split(self, name: str) -> list[Placed]:
        """Return the rows of a split as lm-eval sees them: every row has every column."""
        rows = self._rows(name)
        self.files |= set(rows.places)
        if not rows.typed:
            return [placed for file in rows.files for placed in self._cells(file.path)]
        columns = rows.columns
        return [(where, {column: row.get(column) for column in columns}) for where, row in rows.read()]

    def _rows(self, split: str) -> Rows:
        path = str(self.task.get("dataset_path", ""))
        if path not in FORMATS:
            folder = self._local(path)
            if not folder.is_dir():
                raise BadFile(
                    f"{self.task.path}: The dataset {path!r} would have to be downloaded, and nothing is. Download it "
                    "once, and give its folder as `dataset_path`."
                )
            self.files.add(str(folder.absolute()))
            return DatasetFolder.read(folder, config=str(self.task.get("dataset_name", ""))).rows(split)
        listed = self.given.get("data_files")
        files: Mapping[str, Any] = listed if isinstance(listed, Mapping) else {"train": listed or []}
        if not files.get(split):
            known = ", ".join(files) if listed else "none"
            raise BadFile(f"{self.task.path}: `data_files` names no files of the split {split}; it names {known}.")
        patterns = files[split] if isinstance(files[split], list) else [files[split]]
        return Rows(tuple(self._open(found, path) for one in patterns for found in self._matching(str(one))), {})

    def _local(self, path: str) -> Path:
        """Find a path from the folder of the task, or else from where we are, as lm-eval does."""
        beside = self.task.path.parent / Path(path).expanduser()
        return beside if beside.exists() or glob(str(beside)) else Path(path).expanduser()

    def _matching(self, pattern: str) -> Iterable[Path]:
        if "://" in pattern:
            raise BadFile(f"{self.task.path}: {pattern} would have to be downloaded, which is not done. Give a file.")
        place = self._local(str(Path(self.given.get("data_dir", ""), pattern)))
        found = [place] if place.exists() else [Path(one) for one in sorted(glob(str(place), recursive=True))]
        if not found:
            raise BadFile(f"{self.task.path}: The file {pattern} of `data_files` is not there. Check the path.")
        return found

    def _open(self, path: Path, form: str) -> DataFile:
        file = open_file(path if path.suffix.lower() in FORMATS[form] else path.with_suffix(FORMATS[form][0]))
        if isinstance(file, JsonFile) and self.given.get("field"):
            return replace(file, part=str(self.given["field"]))
        return file

    def _cells(self, path: Path) -> Iterator[Placed]:
        """Yield the rows of a CSV with the types that pandas would find, as lm-eval has them."""
        part = self.given.get("sep") or self.given.get("delimiter") or ("\t" if path.suffix == ".tsv" else ",")
        # A passage of a book is longer than the module allows, for all who use it.
        before = csv.field_size_limit(2**31 - 1)
        try:
            with path.open(encoding="utf-8-sig", newline="") as lines:
                head, *rows = [row for row in csv.reader(lines, delimiter=part) if row] or [[]]
        except (ValueError, OSError, csv.Error) as error:  # A file that is not UTF-8 raises a kind of ValueError.
            raise BadFile(f"{path} cannot be read as CSV: {str(error).strip()}.") from None
        finally:
            csv.field_size_limit(before)
        if not head:
            raise BadFile(f"{path} cannot be read as CSV: it is empty.")
        for number, row in enumerate(rows, start=1):
            if len(row) > len(head):
                raise BadFile(f"{path}, row {number}: {len(row)} fields instead of {len(head)}.")
        columns = [_typed([row[at] if at < len(row) else "" for row in rows]) for at in range(len(head))]
        for number, cells in enumerate(zip(*columns, strict=True), start=1):
            yield f"{path}, row {number}", dict(zip(head, cells, strict=True))


def _typed(column: Sequence[str]) -> list[Any]:
    """Return a column as whole numbers, numbers, yes and no, or texts, whichever all of it can be; None where empty.

    >>> _typed(["1", "2"]), _typed(["1", "", "2.5"]), _typed(["True", "false"]), _typed(["1", "x", "NA"])
    ([1, 2], [1.0, None, 2.5], [True, False], ['1', 'x', None])
    """
    known = [text for text in column if text not in UNKNOWN]
    whole = len(known) == len(column) and all(re.fullmatch(r"\s*[+-]?[0-9]+\s*", text) for text in known)
    read: Callable[[str], Any] = str
    if known and all(text.lower() in TRUTHS for text in known):
        read = _truth
    elif known and all(re.fullmatch(NUMBER, text) for text in known):
        read = int if whole else float
    return [None if text in UNKNOWN else read(text) for text in column]


def _truth(text: str) -> bool:
    return TRUTHS[text.lower()]
