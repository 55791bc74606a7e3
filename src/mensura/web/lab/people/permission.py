"""Permission: which role may do what. These tables are the only place that says so; every page and API route asks."""

from typing import Literal, get_args

from starlette.exceptions import HTTPException

from mensura.store.people.accounts import Account, Role
from mensura.store.people.members import STUDY_ROLES, StudyRole

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
    "manage members",
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
    "manage members": frozenset({"experimenter"}),
    "see panels": frozenset({"experimenter", "rater"}),
    "see progress of raters": frozenset({"experimenter"}),
    "rate": frozenset({"experimenter", "rater"}),
    "see own account": frozenset({"experimenter", "analyst", "rater", "member"}),
}
assert set(MAY) == set(get_args(Action))
STAFF: frozenset[StudyRole] = frozenset({"owner", "experimenter"})
READERS: frozenset[StudyRole] = STAFF | {"analyst"}
# What is not named here is no right of a member: it stays with the role of the account.
MAY_IN_STUDY: dict[Action, frozenset[StudyRole]] = {
    "start runs": STAFF,
    "see runs": READERS,
    "see transcripts": READERS,
    "see truths": READERS,
    "exclude sessions": READERS,
    "export data": READERS,
    "export seeds": STAFF,
    "see invitations": STAFF,
    "make invitations": STAFF,
    "observe sessions": STAFF | {"observer"},
    "see identities": STAFF,
    "manage members": frozenset({"owner"}),
    "see panels": STAFF | {"rater"},
    "see progress of raters": STAFF,
    "rate": STAFF | {"rater"},
}


class NotAllowed(HTTPException):
    """A role asked for what is not its own."""

    def __init__(self, account: Account, action: Action) -> None:
        roles = " and ".join(f"{role}s" for role in sorted(MAY[action]))
        super().__init__(
            403, f"You are logged in as {an(account.role)}; to {action} is for {roles}. Nothing was changed."
        )


class NotAMembersRight(HTTPException):
    """A member of a study asked for what is not theirs."""

    def __init__(self, study: str, role: str, action: Action) -> None:
        allowed = MAY_IN_STUDY.get(action, frozenset())
        roles = " and ".join(f"its {one}s" for one in STUDY_ROLES if one in allowed) or "nobody by membership"
        super().__init__(403, f"You are {an(role)} of {study}; to {action} is for {roles}. Nothing was changed.")


def may(account: Account, action: Action) -> bool:
    """Return whether an account may do something outside studies that have members.

    >>> ann = Account(1, "Ann", "analyst", created=0.0, disabled=False)
    >>> may(ann, "see runs"), may(ann, "see identities")
    (True, False)
    """
    return account.role in MAY[action]


def an(noun: str) -> str:
    """Put the article before a noun.

    >>> an("analyst"), an("rater")
    ('an analyst', 'a rater')
    """
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"
