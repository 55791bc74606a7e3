"""Statements by a model of UDPipe, a dependency parser whose models anyone can train."""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from mensura.catalog.analogy.extraction.dependency import ParsedWord, statements_of
from mensura.catalog.analogy.graph.statement import ReadStatements
from mensura.errors import BadFile, MissingExtra


class UdpipeExtractor:
    """Parse sentences with a model of UDPipe 1."""

    def __init__(self, file: str) -> None:
        try:
            from ufal import udpipe
        except ImportError:
            raise MissingExtra("Models of UDPipe", package="ufal.udpipe", extra="udpipe") from None
        self.name = f"udpipe:{file}"
        path = Path(file).expanduser()
        self._model = udpipe.Model.load(str(path)) if path.is_file() else None
        if self._model is None:
            raise BadFile(
                f"{file} is not a model of UDPipe; give the path of a .udpipe file, as in udpipe:english.udpipe."
            )
        self.version: str | None = blake2b(path.read_bytes(), digest_size=8).hexdigest()
        self._udpipe = udpipe

    def read(self, sentences: Sequence[str]) -> ReadStatements:
        """Return what the sentences state."""
        pipe = self._udpipe.Pipeline(self._model, "tokenizer=presegmented", "tag", "parse", "conllu")
        error = self._udpipe.ProcessingError()
        parsed = pipe.process("\n".join(" ".join(one.split()) for one in sentences), error)
        if error.occurred():
            raise BadFile(f"{self.name} cannot read sentences: {error.message.strip()}")
        return statements_of(read_conllu(parsed))


def read_conllu(text: str) -> list[list[ParsedWord]]:
    """Read sentences in the format CoNLL-U; words that are several at once are taken apart."""
    found: list[list[ParsedWord]] = []
    for block in text.strip().split("\n\n"):
        rows: list[Any] = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
        found.append(
            [
                ParsedWord(
                    int(row[0]),
                    row[1],
                    row[2],
                    row[3],
                    int(row[6]) if row[6].isdigit() else 0,
                    row[7],
                    "Number=Plur" in row[5],
                )
                for row in rows
                if row[0].isdigit()
            ]
        )
    return found
