"""Header: a message as one line of the mailbox."""

from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.world.mail import Letter

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState


def header(office: "OfficeState", letter: Letter) -> str:
    """Return one line of the mailbox."""
    label = office.labels.get(letter.id)
    stuck = f" [{label_words(label)}]" if label else ""
    mark = " " if letter.id in office.read else "*"
    return f"{mark} {letter.id} from {office.index.name_of(letter.sender)}: {letter.subject}{stuck}"


def label_words(label: Any) -> str:
    """Return a label, or several."""
    return ", ".join(str(each) for each in label) if isinstance(label, (list, tuple)) else str(label)
