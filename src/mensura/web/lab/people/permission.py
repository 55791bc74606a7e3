"""Permission: which role may do what. This table is the only place that says so; every page and API route asks it."""

from typing import Literal, get_args

from starlette.exceptions import HTTPException

from mensura.store.people.accounts import Account, Role

Action = Literal[
    "see tests",
    "start runs",
    "see runs",
    "see transcripts",
    "see truths",
    "exclude sessions",
    "export data",
    "export seeds",
    "see invitations",
    "make invitations",
    "observe sessions",
    "see identities",
    "see the audit trail",
    "manage accounts",
    "see panels",
    "see progress of raters",
    "rate",
    "see own account",
]

# Analysts work on what was answered and never learn who answered; raters see artefacts, blind to everything else.
MAY: dict[Action, frozenset[Role]] = {
    "see tests": frozenset({"experimenter", "analyst"}),
    "start runs": frozenset({"experimenter"}),
    "see runs": frozenset({"experimenter", "analyst"}),
    "see transcripts": frozenset({"experimenter", "analyst"}),
    "see truths": frozenset({"experimenter", "analyst"}),
    "exclude sessions": frozenset({"experimenter", "analyst"}),
    "export data": frozenset({"experimenter", "analyst"}),
    "export seeds": frozenset({"experimenter"}),
    "see invitations": frozenset({"experimenter"}),
    "make invitations": frozenset({"experimenter"}),
    "observe sessions": frozenset({"experimenter"}),
    "see identities": frozenset({"experimenter"}),
    "see the audit trail": frozenset({"experimenter"}),
    "manage accounts": frozenset({"experimenter"}),
    "see panels": frozenset({"experimenter", "rater"}),
    "see progress of raters": frozenset({"experimenter"}),
    "rate": frozenset({"experimenter", "rater"}),
    "see own account": frozenset({"experimenter", "analyst", "rater"}),
}
assert set(MAY) == set(get_args(Action))


class NotAllowed(HTTPException):
    """A role asked for what is not its own."""

    def __init__(self, account: Account, action: Action) -> None:
        roles = " and ".join(f"{role}s" for role in sorted(MAY[action]))
        super().__init__(
            403, f"You are logged in as {an(account.role)}; to {action} is for {roles}. Nothing was changed."
        )


def may(account: Account, action: Action) -> bool:
    """Return whether an account may do something.

    >>> ann = Account(1, "Ann", "analyst", created=0.0, disabled=False)
    >>> may(ann, "see runs"), may(ann, "see identities")
    (True, False)
    """
    return account.role in MAY[action]


def check_may(account: Account, action: Action) -> None:
    """Raise `NotAllowed` unless an account may do something."""
    if not may(account, action):
        raise NotAllowed(account, action)


def an(noun: str) -> str:
    """Put the article before a noun.

    >>> an("analyst"), an("rater")
    ('an analyst', 'a rater')
    """
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"
