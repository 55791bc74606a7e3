"""Address: where the pages of a study are."""

from urllib.parse import quote


def address_of_study(study: str, tab: str = "") -> str:
    """Return the address of a page of a study.

    >>> address_of_study("coins & dice", "people")
    '/lab/studies/coins%20%26%20dice/people'
    """
    return f"/lab/studies/{quote(study, safe='')}{'/' if tab else ''}{tab}"
