"""A corpus: the documents of a folder, with year and topics where corpus.jsonl has them."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from mensura.catalog.analogy.document.rows import rows_of
from mensura.errors import BadFile

METADATA = "corpus.jsonl"
ENDINGS = (".txt", ".md", ".markdown", ".pdf")
FORM = '{"file": "a.txt", "year": 2009, "topics": ["image"]}'


@dataclass(frozen=True)
class CorpusEntry:
    """A document of a corpus: its file, and its year and topics where they are known."""

    file: Path
    name: str
    year: int | None = None
    topics: frozenset[str] = frozenset()

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {"file": self.name, "year": self.year, "topics": sorted(self.topics)}


@dataclass(frozen=True)
class Distance:
    """Which documents count: those of a topic, those that share one with the target or none, those years away."""

    topic: str = ""
    share_topic: bool | None = None
    years_from: int = 0
    years_to: int | None = None

    def keeps(self, one: CorpusEntry, target: CorpusEntry) -> bool:
        """Return whether a document counts; what needs a year or topics leaves out those without."""
        if self.topic and self.topic.lower() not in one.topics:
            return False
        shared = bool(one.topics & target.topics) if one.topics and target.topics else None
        if self.share_topic is not None and shared != self.share_topic:
            return False
        if self.years_from or self.years_to is not None:
            if one.year is None or target.year is None:
                return False
            apart = abs(one.year - target.year)
            return apart >= self.years_from and (self.years_to is None or apart <= self.years_to)
        return True


def read_corpus(folder: Path) -> list[CorpusEntry]:
    """Return the documents of a folder in the order of their names; those of corpus.jsonl only, where there is one."""
    if not folder.is_dir():
        raise BadFile(f"{folder} is not a folder; a corpus is a folder of .txt, .md and .pdf files.")
    listed = folder / METADATA
    if listed.is_file():
        return [one for _, one in rows_of(listed, partial(_entry, folder), form=FORM)]
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS and path.is_file())
    if not found:
        raise BadFile(f"{folder} holds no .txt, .md or .pdf file to search.")
    return [CorpusEntry(path, path.name) for path in found]


def _entry(folder: Path, row: Any) -> CorpusEntry:
    name, year, topics = row["file"], row.get("year"), row.get("topics") or []
    if not isinstance(name, str) or not isinstance(topics, list) or not (year is None or isinstance(year, int)):
        raise ValueError("file is a name, year a whole number and topics a list")
    if not (folder / name).is_file():
        raise ValueError(f"there is no file {name!r} in {folder}")
    return CorpusEntry(folder / name, name, year, frozenset(str(one).lower() for one in topics))
