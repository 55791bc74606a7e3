"""Read a document: its text without citations and equations, whole or the parts that are wanted."""

from collections.abc import Sequence
from pathlib import Path

from mensura.catalog.analogy.document.cleaning import clean
from mensura.catalog.analogy.document.parts import chosen_parts
from mensura.errors import BadFile

MOST = 5_000_000
"""How many bytes of text are read: some 800 000 words."""
KINDS = ("auto", "text", "patent")


def read_document(path: str | Path, *, parts: Sequence[str] = (), kind: str = "auto", rhetoric: str = "") -> str:
    """Return the text of a document.

    Parameters
    ----------
    path
        A .pdf, .md or any other file of text.
    parts
        Names of headings (abstract, background ...) whose union is read; none reads everything but the references.
        A rhetorical category may be named too: its sentences are taken where no heading has its name.
    kind
        text, patent, or auto: a text with claims in the manner of patents is read as one.
    rhetoric
        A classifier that `mensura analogy rhetoric train` wrote; "" for cue words.

    Raises
    ------
    BadFile
        If it cannot be read, or is scanned, encrypted or too large; the message says which.
    """
    file = Path(path).expanduser()
    ending = file.suffix.lower()
    if ending == ".pdf":
        from mensura.catalog.analogy.document.pdf import read_pdf

        raw = read_pdf(file)
    else:
        raw = _read_text(file)
        if ending in (".md", ".markdown"):
            from mensura.catalog.analogy.document.markdown import plain_markdown

            raw = plain_markdown(raw)
    if len(raw) > MOST:
        raise BadFile(_too_large(file, len(raw)))
    text = clean(chosen_parts(raw, parts, name=str(file), rhetoric=rhetoric))
    if kind != "text":
        from mensura.catalog.analogy.document.patent import is_patent, plain_patent

        if kind == "patent" or is_patent(text):
            text = plain_patent(text)
    return text


def _read_text(file: Path) -> str:
    try:
        size = file.stat().st_size
        if size > MOST:
            raise BadFile(_too_large(file, size))
        data = file.read_bytes()
    except OSError as error:
        raise BadFile(f"{file} cannot be read: {error.strerror or error}. Check the path.") from None
    if b"\0" in data:
        raise BadFile(f"{file} is not a text; give a text, Markdown or PDF file.")
    return decoded(data)


def decoded(data: bytes) -> str:
    """Return a text in UTF-8, or in the code page of older texts of Windows with its curly quotation marks."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _too_large(file: Path, size: int) -> str:
    return (
        f"{file} has {size / 1e6:.1f} MB of text and documents are read up to {MOST / 1e6:.0f} MB: "
        "cut out the part that is to be compared."
    )
