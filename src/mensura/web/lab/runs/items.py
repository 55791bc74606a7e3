"""Items: what a run asks, new and secret, or the same as another run asked."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Seed, Test
from mensura.errors import BadParameter

if TYPE_CHECKING:
    from mensura.store import Store


def items_of(
    test: Test,
    parameters: Mapping[str, Any],
    *,
    store: "Store",
    setting: str = "",
    same_as: str = "",
    seed: int | None = None,
) -> tuple[dict[str, Any], Seed]:
    """Return parameters and seed: a new seed, secret unless one is given, or those of a run to be met again."""
    if not same_as:
        return test.fill(parameters, setting=setting or None), Seed.choose(seed)
    if seed is not None:
        raise BadParameter("Give either a seed or a run whose items are met again, not both.")
    other = store.runs.find(same_as)
    if other.test != test.id:
        raise BadParameter(f"{other.id} is a run of {other.test}; its items cannot be met in {test.id}.")
    if parameters or setting:
        raise BadParameter(f"The same items as in {other.id} need the same parameters; leave them and the setting out.")
    return dict(other.parameters), Seed(other.own_seed(), public=other.seed_public)
