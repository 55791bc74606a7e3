"""Every exception of ours.

::

    MensuraError            something the user can put right
    ├── UnknownName         asked for a test, subject, run or parameter that is not there
    ├── BadParameter        a parameter of a test has a value it cannot take
    ├── BadData             numbers given to a statistic are not what it can work on
    ├── BadFile             a file given by the user cannot be read as what it should be
    ├── BrokenTest          a test broke the rules of the dialogue
    ├── BadExtension        what another package brings cannot be used
    ├── Invalid             an answer lies outside its space
    ├── Late                an answer came for an ask that is no longer open
    ├── ReplayDiffers       a replay met another ask than the one recorded
    ├── SubjectFailed       a subject crashed, hung or flooded
    │   ├── SubjectCrashed
    │   ├── SubjectTimedOut
    │   │   └── SubjectSpent  it used up its turns, tokens, money or seconds
    │   ├── SubjectFlooded
    │   └── SubjectLost     not its fault: its server or the network was out
    ├── Unreachable         a language model that a run needs is not there; nothing was asked or stored
    ├── NotInstalled        this machine lacks a package, a program or data; `install` is the command that brings it
    │   └── MissingExtra    an optional Python package
    └── StoreError          the database is damaged, newer than this program, full or taken
        ├── Conflict        another writer was first; nothing was changed
        ├── MissingKey      what is kept back needs the store's key, and it is not here
        └── Altered         a record is not what was written

    Interrupted             Ctrl-C stopped a run; a KeyboardInterrupt that holds what it comes to so far
"""

import os
import sys
from collections.abc import Collection
from difflib import get_close_matches
from typing import Any

from mensura.phrase import Sentence


class MensuraError(Exception):
    """Something the user can put right; the command line prints the message without a traceback."""

    at: tuple[str, ...] = ()
    """The parts of a plan that it is about, as `stop.looks`, of which the first that is written down is meant."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a run; `result` is what it comes to so far, and it can be resumed."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


class UnknownName(MensuraError):
    """Asked for something by a name that is not registered; `what` was asked for, by `name`, where that is known."""

    def __init__(self, message: str, *, what: str = "", name: str = "") -> None:
        super().__init__(message)
        self.what, self.name = what, name


class BadParameter(MensuraError):
    """A parameter of a test has a value it cannot take."""


class BadData(MensuraError):
    """Numbers given to a statistic are not what it can work on."""


class BadFile(MensuraError):
    """A file given by the user cannot be read as what it should be."""


class BrokenTest(MensuraError):
    """A test broke the rules of the dialogue; its author must fix it."""


class BadExtension(MensuraError):
    """An entry point of another package cannot be used; its authors must fix it."""


class Invalid(MensuraError):
    """An answer lies outside its space; the message is the sentence shown to the person who answered.

    >>> str(Invalid("The answer must be a whole number; got {got}.", got=0.5))
    'The answer must be a whole number; got 0.5.'
    """

    def __init__(self, words: str = "", **values: Any) -> None:
        self.said = words if isinstance(words, Sentence) else Sentence(words, **values)
        super().__init__(self.said)


class Late(MensuraError):
    """An answer came for an ask that is no longer open; the message is shown to the person who answered."""

    def __init__(self, words: str = "") -> None:
        self.said = words
        super().__init__(words)


class ReplayDiffers(MensuraError):
    """A replay met another ask than the one recorded."""


class SubjectFailed(MensuraError):
    """A subject stopped working; `last_words` holds the end of what it said."""

    status = "crashed"

    def __init__(self, message: str, *, last_words: str = "") -> None:
        super().__init__(message)
        self.last_words = last_words
        self.role = ""
        """The role it played, where the driver knows."""
        self.notes: dict[str, Any] = {}
        """The notes it had made by then, such as tokens that were paid for."""


class SubjectCrashed(SubjectFailed):
    """A subject raised an error, or its program or server ended or refused."""


class SubjectTimedOut(SubjectFailed):
    """A subject took longer than its limit."""

    status = "timed_out"


class SubjectSpent(SubjectTimedOut):
    """A subject used up what it was allowed for an item: turns, tokens, money or seconds."""


class SubjectFlooded(SubjectFailed):
    """A subject said more than its limit allows."""


class SubjectLost(SubjectFailed):
    """A subject could not be reached, which was not its fault; the session can be resumed."""

    status = "lost"


class Unreachable(MensuraError):
    """A language model that a run needs is not there; nothing was asked or stored."""


class NotInstalled(MensuraError):
    """This machine lacks a package, a program or data; `install` is the command that brings it.

    A command that does several things leaves out the one that raised this, names it, and does the others.
    """

    def __init__(self, message: str, *, install: str) -> None:
        super().__init__(message)
        self.install = install

    def leaves_out(self, what: str) -> str:
        """Return the sentence that says what is skipped for want of it, and how to install it.

        >>> NotInstalled("Chromium is not installed.", install="apt-get install chromium").leaves_out("The PDF")
        'The PDF is left out. Chromium is not installed. Install it with: apt-get install chromium'
        """
        said = f"{what} is left out. {self}"
        return said if self.install in said else f"{said} Install it with: {self.install}"


class MissingExtra(NotInstalled):
    """An optional Python package is not installed."""

    def __init__(self, what: str, *, package: str, extra: str) -> None:
        install = f'pip install "mensura[{extra}]"'
        super().__init__(f"{what} need {package}: {install}", install=install)
        self.extra = extra


class StoreError(MensuraError):
    """The database is damaged, newer than this program, full or taken; nothing was changed."""


class Conflict(StoreError):
    """Another writer was first; nothing was changed."""


class MissingKey(StoreError):
    """Sealed contents of the store cannot be read without its key."""


class Altered(StoreError):
    """A record is not what was written; the message names the first altered line."""


def unknown(what: str, name: str, *, known: Collection[str], see: str) -> UnknownName:
    """Make the error for a name that is not there, with the nearest ones that are.

    >>> str(unknown("test", "coyn", known=["coin", "inbox"], see="`mensura list` shows all of them."))
    "There is no test called 'coyn'. Did you mean coin?"
    """
    near = nearest(name, known)
    hint = f"Did you mean {near}?" if near else see
    return UnknownName(f"There is no {what} called {name!r}. {hint}", what=what, name=name)


def nearest(name: str, known: Collection[str]) -> str:
    """Name those that a name may have meant; empty where none is near."""
    return " or ".join(get_close_matches(name, known, n=3))


def raised(error: BaseException) -> str:
    """Return what was raised, and in which file and line of the author's own code.

    >>> try:
    ...     1 / 0
    ... except ZeroDivisionError as error:
    ...     print(raised(error))
    raised ZeroDivisionError in <doctest mensura.errors.raised[0]>, line 2: division by zero
    """
    import traceback

    said = f"raised {type(error).__name__}"
    if isinstance(error, SyntaxError) and error.filename:
        return f"{said} in {_place(error.filename)}, line {error.lineno}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    # What the code called may have raised it; what can be put right is the line that called.
    ours = os.path.dirname(__file__)
    apart = (sys.prefix, sys.base_prefix, "<frozen")
    theirs = [frame for frame in frames if not frame.filename.startswith((ours, *apart))]
    near = theirs or [frame for frame in frames if frame.filename.startswith(os.path.join(ours, "catalog"))] or frames
    where = f" in {_place(near[-1].filename)}, line {near[-1].lineno}" if near else ""
    return f"{said}{where}: {error}"


def _place(file: str) -> str:
    """Name a file as seen from the folder that the user is in."""
    here = os.path.join(os.getcwd(), "")
    return file[len(here) :] if file.startswith(here) else file
