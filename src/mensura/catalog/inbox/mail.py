"""The mail: what it says, where it belongs, when it arrives."""

from dataclasses import dataclass

import numpy as np

from mensura.dialogue import Message
from mensura.errors import BadParameter

FOLDERS = ("act", "answer", "keep", "bin")
RULES = (
    "Mail arrives while you work. File each message before it is due: **act** if something is broken or someone is "
    "waiting for you now, **answer** if you are asked a question that can wait, **keep** if it only informs you, "
    "**bin** if it wants to sell you something."
)
SENDERS = ("Ada", "Bohdan", "Chidi", "Dolores", "Emre", "Freya", "Goro", "Hana")
PLACES = ("the east wing", "room 12", "the library", "the loading dock", "the front desk", "the workshop")
TEXTS: dict[str, tuple[tuple[str, str], ...]] = {
    "act": (
        ("Water on the floor", "A pipe has burst in {place}. Someone must come at once."),
        ("Door is stuck", "I am locked in {place} and cannot get out. Please send help."),
        ("No power", "The power has failed in {place} and nothing works any more."),
        ("They are here", "The visitors are standing in {place} and nobody has met them. Where are you?"),
    ),
    "answer": (
        ("Next week", "Which day next week would suit you for a tour of {place}?"),
        ("A question", "How many chairs do you think we should put in {place}? There is no hurry."),
        ("Your opinion", "Do you prefer blue or green for the walls of {place}? Tell me when you can."),
        ("The party", "Would you come to the party in {place} at the end of the month?"),
    ),
    "keep": (
        ("Minutes", "Here are the minutes of our meeting in {place}. Nothing is left to be done."),
        ("Thank you", "Thank you for your help in {place}. All is well now."),
        ("For your files", "The new plan of {place} is attached for your files."),
        ("Done", "The lamps in {place} have been replaced, as agreed."),
    ),
    "bin": (
        ("Only today", "Carpets for {place} at half price! Buy two, pay for one."),
        ("You have won", "You have won a prize! Pay the postage and it will be brought to {place}."),
        ("Last chance", "Our best offer ever: paint for {place}, seventy per cent off. Order now!"),
        ("Be rich", "Earn thousands without leaving {place}. Send us your bank details."),
    ),
}


@dataclass(frozen=True)
class Mail:
    """One message, where it belongs, and when it is due."""

    message: Message
    folder: str
    due: int


def check_mail(*, messages: int, phase_ticks: int, patience: int) -> None:
    """Refuse mail that does not fit into its phase."""
    if messages < 1 or patience < 1 or phase_ticks - patience < messages:
        raise BadParameter(
            f"{messages} messages with a patience of {patience} do not fit into a phase of {phase_ticks} ticks; "
            "raise --phase-ticks, or lower --messages or --patience."
        )


def draw_mail(rng: np.random.Generator, *, phase: int, messages: int, phase_ticks: int, patience: int) -> list[Mail]:
    """Draw the mail of one phase; ticks are fixed here, so nothing a subject does can move them."""
    check_mail(messages=messages, phase_ticks=phase_ticks, patience=patience)
    ticks = np.sort(rng.choice(phase_ticks - patience, size=messages, replace=False)) + phase * phase_ticks
    return [_one(rng, f"m{phase * messages + i + 1}", int(tick), patience) for i, tick in enumerate(ticks)]


def _one(rng: np.random.Generator, name: str, tick: int, patience: int) -> Mail:
    folder = FOLDERS[int(rng.integers(len(FOLDERS)))]
    subject, body = TEXTS[folder][int(rng.integers(len(TEXTS[folder])))]
    sender, place = SENDERS[int(rng.integers(len(SENDERS)))], PLACES[int(rng.integers(len(PLACES)))]
    return Mail(Message(name, sender, subject, body.format(place=place), tick=tick), folder, tick + patience)
