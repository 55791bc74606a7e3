"""Documents are read whole or in parts; what cannot be read is said in one sentence."""

import pytest

from mensura.catalog.analogy.document.cleaning import clean
from mensura.catalog.analogy.document.language import foreign
from mensura.catalog.analogy.document.patent import is_patent, plain_patent
from mensura.catalog.analogy.document.reading import read_document
from mensura.errors import BadFile, MensuraError

PAPER = """# A paper

## Abstract
We present a filter [3, 4]. It is fast (Adams et al., 2009).

## Background
Filters smooth $x^2$ pictures. See `code` and https://example.org/x.

## Results
The filter won.

## References
[1] Somebody wrote a book.
"""


def made_pdf(path, *, text="The hunter shot the hawk because the hawk stole bread.", password=""):
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    page = writer.add_blank_page(612, 792)
    if text:
        font = DictionaryObject(
            {NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
             NameObject("/BaseFont"): NameObject("/Helvetica")}
        )  # fmt: skip
        fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 20 700 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    writer.write(path)
    return path


def test_parts_are_joined_without_citations_equations_code_and_references(tmp_path):
    file = tmp_path / "paper.md"
    file.write_text(PAPER)
    text = read_document(file, parts=("abstract", "background"))
    assert text == "We present a filter. It is fast.\n\nFilters smooth pictures. See and"
    whole = read_document(file)
    assert "The filter won." in whole
    assert "Somebody" not in whole


def test_headings_of_plain_text_are_known_by_their_names(tmp_path):
    file = tmp_path / "paper.txt"
    file.write_text("Title\n\nAbstract. We show a thing.\n\n1. Introduction\nIt began.\n\n6 Conclusions\nIt ended.\n")
    assert read_document(file, parts=("abstract", "conclusions")) == "We show a thing.\n\nIt ended."


def test_an_abstract_after_a_dash_is_known(tmp_path):
    file = tmp_path / "paper.txt"
    file.write_text("Title\n\nAbstract—We show a thing.\n\n1. Introduction\nIt began.\n")
    assert read_document(file, parts=("abstract",)) == "We show a thing."


def test_a_rhetorical_category_can_be_named_where_no_heading_has_its_name(tmp_path):
    file = tmp_path / "paper.txt"
    file.write_text("We propose a method. In future work we plan to extend it.")
    assert read_document(file, parts=("future-work",)) == "In future work we plan to extend it."


def test_a_missing_part_names_those_there_are(tmp_path):
    file = tmp_path / "paper.md"
    file.write_text(PAPER)
    with pytest.raises(MensuraError, match="no part 'moral'; its parts are a paper, abstract, background"):
        read_document(file, parts=("moral",))


def test_a_pdf_is_read(tmp_path):
    assert read_document(made_pdf(tmp_path / "a.pdf")) == "The hunter shot the hawk because the hawk stole bread."


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: made_pdf(path, text=""), "scanned"),
        (lambda path: made_pdf(path, password="secret"), "encrypted"),
        (lambda path: path.write_bytes(b"%PDF-1.4 nonsense"), "damaged or no PDF"),
    ],
)
def test_scanned_encrypted_and_damaged_pdfs_are_said_to_be_so(tmp_path, make, words):
    make(tmp_path / "a.pdf")
    with pytest.raises(BadFile, match=words):
        read_document(tmp_path / "a.pdf")


def test_ten_megabytes_binary_files_and_missing_ones_are_refused(tmp_path):
    large, binary = tmp_path / "large.txt", tmp_path / "binary.txt"
    large.write_text("The dog saw a cat. " * 550_000)
    binary.write_bytes(b"\0\1\2")
    for file, words in ((large, "10.4 MB"), (binary, "not a text"), (tmp_path / "none.txt", "Check the path")):
        with pytest.raises(BadFile, match=words):
            read_document(file)


def test_old_windows_quotation_marks_are_read(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"The dog\x92s bone.")
    assert read_document(tmp_path / "a.txt") == "The dog’s bone."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs $5 and $6.", "It costs $5 and $6."),
        ("The year (1999) was good.", "The year was good."),
        ("E = mc^2\nThe law holds.", "The law holds."),
        ("Smith (2009a) says so [12].", "Smith says so."),
        ("A list (of things, in 3 parts) stays.", "A list (of things, in 3 parts) stays."),
    ],
)
def test_citations_and_equations_go_and_prose_stays(text, expected):
    assert clean(text) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "Der Hund ist nicht in dem Haus und die Katze auch nicht, weil es sich für den Mann mit dem Hut bewegt.",
            "German",
        ),
        (
            "Le chien est dans la maison et le chat ne mange pas les souris qui sont sur la table avec du fromage.",
            "French",
        ),
        ("Собака видела кошку, и кошка побежала домой по длинной дороге.", "Cyrillic"),
        ("The dog is not in the house and the cat does not eat the mice that are on the table with the cheese.", ""),
        ("Too short.", ""),
    ],
)
def test_the_language_is_checked_by_its_commonest_words(text, language):
    assert language in foreign(text)
    assert bool(foreign(text)) == bool(language)


CLAIMS = """What is claimed is:
1. A pump comprising a rotor (12) and a housing, wherein said rotor drives the fluid through said housing.
2. The pump of claim 1, wherein the housing holds a filter.
"""


def test_claims_of_patents_become_plain_sentences():
    assert is_patent(CLAIMS)
    assert not is_patent("The king said nothing. He had a pump comprising a rotor.")
    text = plain_patent(CLAIMS)
    assert "A pump comprises a rotor and a housing. the rotor drives the fluid through the housing." in text
    assert not any(word in text for word in ("said", "wherein", "claim", "12"))
