"""Listing of panels: experimenters see each by its name, a rater only their own work, unnamed."""

from typing import TYPE_CHECKING, Any

from mensura.running.panel import progress_of
from mensura.store.accounts import Account
from mensura.store.panels import Panels

if TYPE_CHECKING:
    from mensura.store import Store


def list_panels(account: Account, *, store: "Store") -> list[dict[str, Any]]:
    """Give what an account may see of panels: name, artefacts, and how many of them it has rated.

    The name of a panel may say what is compared, so raters see their work as "Rating 1", "Rating 2" and so on, and
    nothing of panels in which they do not rate.
    """
    states = [progress_of(name, store=store) for name in Panels(store).names()]
    if account.role == "rater":
        mine = [one for state in states if not state.closed for one in state.raters if one.rater == account.name]
        return [
            {"name": f"Rating {number}", "artefacts": one.artefacts, "rated": one.rated}
            for number, one in enumerate(mine, start=1)
        ]
    return [
        {
            "name": state.name,
            "artefacts": state.artefacts,
            "rated": sum(one.rated for one in state.raters if one.rater == account.name),
        }
        for state in states
    ]
