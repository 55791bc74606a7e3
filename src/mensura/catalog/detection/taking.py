"""Gives the test's function one keyword argument per parameter of the world, so that each can be set and swept."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Annotated, Any

from mensura.catalog.detection.world.parameters import WorldParameters, meaning

# A person or a language model cannot read a society of a thousand; this is the size of the test unless told otherwise.
SMALLER = {"individuals": 300, "days": 240, "clutter_per_individual": 6.0, "groups_per_thousand": 60.0}


def with_world_parameters(function: Callable[..., Any]) -> Callable[..., Any]:
    """Replace ``**given`` by the parameters of the world, with their types, meanings and defaults."""
    signature = inspect.signature(function)
    own = [each for each in signature.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    world = [
        inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=SMALLER.get(each.name, each.default),
            annotation=Annotated[each.type, meaning(each)],
        )
        for each in fields(WorldParameters)
    ]

    function.__signature__ = signature.replace(parameters=[*own, *world])  # type: ignore[attr-defined]
    function.__annotations__ = {each.name: each.annotation for each in (*own, *world)}
    return function
