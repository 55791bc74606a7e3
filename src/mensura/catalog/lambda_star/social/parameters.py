"""Parameters of the social world, read and refused in one place."""

from mensura.catalog.lambda_star.social.world import REACTIONS, STEPS_OF, SocialBody, Society
from mensura.errors import BadParameter


def read_society(
    *, needed: int, reaction: str, reaction_chance: float, sights: str, steps: str, tastes: str
) -> Society:
    """Read how agents and world meet; lists such as `1,1,3` are gone through again where there are more agents."""
    if needed < 1:
        raise BadParameter(f"--needed is the number of agents near Good before it pays, at least 1; got {needed}.")
    if reaction not in REACTIONS:
        raise BadParameter(f"--reaction is one of {', '.join(REACTIONS)}; got {reaction!r}.")
    if not 0 <= reaction_chance <= 1:
        raise BadParameter(f"--reaction-chance lies between 0 and 1; got {reaction_chance:g}.")
    seeing = [_number(part, "sights", least=1) for part in sights.split(",")]
    liking = [_number(part, "tastes") for part in tastes.split(",")]
    moving = [part.strip() for part in steps.split(",")]
    for kind in moving:
        if kind not in STEPS_OF:
            raise BadParameter(f"--steps lists {', '.join(STEPS_OF)}; got {kind!r}.")
    count = max(len(seeing), len(liking), len(moving))
    bodies = tuple(
        SocialBody(int(seeing[n % len(seeing)]), moving[n % len(moving)], liking[n % len(liking)]) for n in range(count)
    )
    return Society(needed, reaction, reaction_chance, bodies)


def _number(text: str, name: str, *, least: float | None = None) -> float:
    try:
        value = float(text)
    except ValueError:
        raise BadParameter(f"--{name} lists numbers, such as 1,1,3; got {text.strip()!r}.") from None
    if least is not None and value < least:
        raise BadParameter(f"--{name} are at least {least:g}; got {text.strip()}.")
    return value
