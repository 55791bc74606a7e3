import pytest

from mensura.errors import BadFile
from mensura.xml_file import HostileXml, parse_xml, read_xml

BOMB = b"""<?xml version="1.0"?>
<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
<x>&c;</x>"""
OUTSIDE = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]><x>&f;</x>"""


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, b'<!DOCTYPE x SYSTEM "http://example.org/x.dtd"><x/>'])
def test_entities_and_document_types_are_refused(text):
    with pytest.raises(HostileXml, match="document type or entities"):
        parse_xml(text, where="bomb.xml")


def test_deep_nesting_is_refused():
    with pytest.raises(HostileXml, match="deeper than"):
        parse_xml(b"<a>" * 5000, where="deep.xml")


def test_truncated_xml_is_named_with_its_place(tmp_path):
    path = tmp_path / "cut.xml"
    path.write_bytes(b"<a>\n<b x='1'>")
    with pytest.raises(BadFile, match=r"cut\.xml is malformed XML: .* at line 2"):
        read_xml(path)


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "huge.xml"
    with path.open("wb") as file:
        file.truncate(65 * 2**20)
    with pytest.raises(HostileXml, match="larger than 64 MiB"):
        read_xml(path)


def test_namespaces_are_dropped_from_tags_and_attributes():
    root = parse_xml(b'<n:a xmlns:n="u" xmlns:x="v" x:type="n:Task_1_Phase"><b/></n:a>', where="memory")
    assert (root.tag, root.get("type"), root[0].tag) == ("a", "n:Task_1_Phase", "b")
