"""The text of a PDF."""

import re
from pathlib import Path

from mensura.errors import BadFile, MissingExtra

LETTERS = 30
"""Letters a page at least, on average; fewer are a scan."""


def read_pdf(file: Path) -> str:
    """Return the text of a PDF, words that were broken at the end of a line joined again."""
    if not file.is_file():
        raise BadFile(f"{file} cannot be read: there is no such file. Check the path.")
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        raise MissingExtra("Documents in PDF", package="pypdf", extra="pdf") from None
    try:
        reader = PdfReader(file)
        if reader.is_encrypted and not reader.decrypt(""):
            raise BadFile(f"{file} is encrypted; save it without a password.")
        pages = [page.extract_text() or "" for page in reader.pages]
    except (PyPdfError, OSError, ValueError, KeyError, NotImplementedError) as error:
        raise BadFile(f"{file} is damaged or no PDF ({error}).") from None
    text = "\n".join(pages)
    if sum(sign.isalpha() for sign in text) < LETTERS * max(1, len(pages)):
        raise BadFile(f"{file} holds no text, so it is probably scanned; put it through text recognition first.")
    return re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", text)
