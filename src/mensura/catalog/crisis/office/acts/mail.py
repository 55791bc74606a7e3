"""Mail: reading, answering, writing and searching."""

from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.office.header import header, label_words
from mensura.catalog.crisis.office.history import Said, Sent
from mensura.catalog.crisis.office.naming import Declined, named, near
from mensura.catalog.crisis.settings import DELAYS
from mensura.catalog.crisis.world.mail import Letter

if TYPE_CHECKING:
    from mensura.catalog.crisis.office.office import OfficeState

FOUND_MOST = 40


def read(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Open a message."""
    letter = message(office, arguments["message"])
    office.read.setdefault(letter.id, office.now)
    index = office.index
    sender = index.name_of(letter.sender)
    person = office.world.person.get(letter.sender)
    address = f" <{person.mail}>" if person else ""
    lines = [f"From: {sender}{address}", f"Subject: {letter.subject}", ""]
    if label := office.labels.get(letter.id):
        lines.insert(2, f"Label: {label_words(label)}")
    lines.append(letter.body)
    if letter.order:
        lines += ["", f"[This is the receipt of order {letter.order}: it can be changed or cancelled by that number.]"]
    data: dict[str, Any] = {"message": letter.id, "sender": sender, "subject": letter.subject, "body": letter.body}
    if letter.order:
        data["order"] = letter.order
    return Said(True, "\n".join(lines), data)


def reply(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Answer a message."""
    letter = message(office, arguments["message"])
    subject = letter.subject if letter.subject.lower().startswith("re:") else f"Re: {letter.subject}"
    return _post(office, role, letter.sender, subject, arguments["text"], letter)


def send(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Write a new message to a person or a vendor."""
    known, to = office.index.id_of, arguments["to"]
    to = known("person", to) or known("vendor", to) or named(office, "person", to)
    return _post(office, role, to, arguments["subject"], arguments["text"], None)


def search(office: "OfficeState", role: str, arguments: dict[str, Any]) -> Said:
    """Find messages that hold all words, the newest first."""
    words = arguments["words"].lower().split()
    if not words:
        return Said(False, "Say what to search for.")
    index = office.index
    found = []
    for id, letter in office.mailbox.items():
        text = index.texts.get(id) or index.text_of(letter)
        if all(word in text for word in words):
            found.append(letter)
    if not found:
        return Said(True, f"No message holds {arguments['words'][:60]!r}.", {"messages": []})
    newest = found[::-1][:FOUND_MOST]
    lines = [header(office, letter) for letter in newest]
    more = f"\n... and {len(found) - FOUND_MOST} older ones." if len(found) > FOUND_MOST else ""
    ids = [letter.id for letter in newest]
    return Said(True, f"{len(found)} found:\n" + "\n".join(lines) + more, {"messages": ids})


def message(office: "OfficeState", id: str) -> Letter:
    """Return a message of the mailbox, or decline."""
    if id not in office.mailbox:
        hint = near(id, office.mailbox) or "The mailbox shows the id of each."
        raise Declined(f"There is no message {id[:60]!r} in the mailbox. {hint}")
    return office.mailbox[id]


def _post(office: "OfficeState", role: str, to: str, subject: str, text: str, answered: Letter | None) -> Said:
    if not text.strip():
        return Said(False, "An empty message was not sent.")
    id = f"s-{len(office.sent) + 1}"
    office.sent.append(Sent(id, office.now, role, to, subject, text, "" if answered is None else answered.id))
    vendor = office.world.vendor.get(to)
    if vendor is not None:
        office.write_later(
            to,
            f"Automatic reply: {subject}"[:200],
            f"Thank you for writing to {vendor.name}. Nobody reads this address. Orders, changes and cancellations "
            "are taken by the form on our page only; please use it.",
            delay=DELAYS["form_only"],
        )
    return Said(True, f"Your message {id} went to {office.index.name_of(to)}.", {"sent": id})


MAIL = {"read": read, "reply": reply, "send": send, "search": search}
