"""Workbooks: one sheet in Excel's file form, written row by row. Texts are never formulas."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from mensura.errors import BadFile

MOST_ROWS = 2**20
MOST_CHARACTERS = 32_767
"""The most characters of a cell in Excel."""
EXACT = 2**53
"""Excel's numbers are doubles; a larger whole number is written as text."""
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
TIES = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
KINDS = "application/vnd.openxmlformats-officedocument.spreadsheetml"
PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{KINDS}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{KINDS}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{TIES}">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">'
    '<sheets><sheet name="NAME" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{TIES}">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
OPENING = (
    f'<worksheet xmlns="{MAIN}"><sheetViews><sheetView workbookViewId="0">'
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>'
)


def write_workbook(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]], *, sheet: str) -> tuple[int, int]:
    """Write a table as a workbook; return how many rows it has, and how many of its texts were cut to fit a cell.

    Raises
    ------
    BadFile
        If there are more rows than a sheet takes.
    """
    letters = [_letters(place) for place in range(len(columns))]
    count = cut = 0
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, body in PARTS.items():
            archive.writestr(_part(name), HEAD + body.replace("NAME", escape(sheet)))
        with archive.open(_part("xl/worksheets/sheet1.xml"), "w", force_zip64=True) as file:
            file.write((HEAD + OPENING + _row(1, letters, columns)).encode())
            for count, row in enumerate(rows, start=1):
                if count >= MOST_ROWS:
                    raise BadFile(f"A sheet takes {MOST_ROWS:,} rows, and there are more; write a .csv or a .parquet.")
                cut += sum(isinstance(cell, str) and len(cell) > MOST_CHARACTERS for cell in row)
                file.write(_row(count + 1, letters, row).encode())
            file.write(b"</sheetData></worksheet>")
    return count, cut


def _part(name: str) -> ZipInfo:
    part = ZipInfo(name)
    part.compress_type = ZIP_DEFLATED
    return part


def _row(number: int, letters: Sequence[str], cells: Sequence[Any]) -> str:
    written = "".join(_cell(f"{letter}{number}", cell) for letter, cell in zip(letters, cells, strict=True))
    return f'<row r="{number}">{written}</row>'


def _cell(place: str, value: Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float) and abs(value) <= (EXACT if isinstance(value, int) else 1e308):
        return f'<c r="{place}"><v>{value!r}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{_text(str(value))}</t></is></c>'


def _text(text: str) -> str:
    r"""Return a text as XML takes it; other characters as Excel writes them, and what looks so in turn.

    >>> _text("a<b\x01 _x0041_")
    'a&lt;b_x0001_ _x005F_x0041_'
    """
    text = re.sub(r"_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text[:MOST_CHARACTERS])
    return escape(re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", _escaped, text))


def _escaped(found: re.Match[str]) -> str:
    return f"_x{ord(found[0]):04X}_"


def _letters(place: int) -> str:
    """Return the name of a column.

    >>> [_letters(place) for place in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    name = ""
    while place >= 0:
        place, letter = divmod(place, 26)
        name = chr(ord("A") + letter) + name
        place -= 1
    return name
