"""XML files from strangers: no document types, no entities, nothing fetched, bounded size and depth."""

from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from mensura.errors import BadFile

LARGEST = 64 * 2**20
DEEPEST = 64


class HostileXml(BadFile):
    """An XML file declares entities or a document type, or is too large or too deep."""


def read_xml(path: Path) -> Element:
    """Read an XML file safely; tags and attributes keep their local names only.

    The original files bind other prefixes to the same namespace and leave children without one, so namespaces
    carry no meaning here.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise HostileXml(f"{path} is larger than {LARGEST // 2**20} MiB; such files are refused.")
        text = path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from error
    return parse_xml(text, where=str(path))


def parse_xml(text: bytes, *, where: str) -> Element:
    """Parse XML from bytes; `where` names its origin in error messages.

    >>> parse_xml(b'<a:x xmlns:a="u"><y n="1"/></a:x>', where="memory")[0].get("n")
    '1'
    """
    builder = TreeBuilder()
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise HostileXml(f"{where} nests elements deeper than {DEEPEST}; such XML is refused.")
        builder.start(_local(tag), {_local(name): value for name, value in attributes.items()})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_local(tag))

    def refuse(*_: object) -> None:
        raise HostileXml(f"{where} declares a document type or entities; such XML is refused. Remove the DOCTYPE.")

    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse  # type: ignore[assignment]
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise BadFile(
            f"{where} is malformed XML: {expat.ErrorString(error.code)} at line {error.lineno}, column {error.offset}."
        ) from error
    except LookupError as error:
        raise BadFile(f"{where} is written in an {error}.") from None
    return builder.close()


def _local(name: str) -> str:
    return name.rpartition("}")[2]
