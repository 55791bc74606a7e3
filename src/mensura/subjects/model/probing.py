"""Probing: a distribution over options, read from how probable a model finds the letter of each."""

from typing import Any

from mensura.dialogue import Distribution, Space
from mensura.errors import Invalid, SubjectCrashed
from mensura.subjects.model.letters import AROUND, lettered, letters_of, read_letters
from mensura.subjects.model.reading import Read, read_refusal
from mensura.subjects.model.request import Completion
from mensura.subjects.outside.protocol import Unreadable

LIKELIEST = 20
"""How many tokens are asked for at each place: the most that servers give."""


def probed_options(space: Space) -> tuple[str, ...]:
    """Return the options of a distribution that letters can stand for; none of any other space.

    >>> probed_options(Distribution(("Rome", "Paris")))
    ('Rome', 'Paris')
    """
    options = tuple(space.options) if isinstance(space, Distribution) else ()
    return options if len(options) > 1 and letters_of(options) else ()


def letters_wanted(options: tuple[str, ...]) -> str:
    """Ask for a letter and nothing else."""
    return f"{lettered(options)}\n\nReply with nothing but the letter of the right option."


def read_probabilities(completion: Completion, options: tuple[str, ...]) -> Read:
    """Read the distribution at the first place where a letter of an option stands."""
    if refused := read_refusal(completion):
        return refused
    if not completion.logprobs:
        raise SubjectCrashed(f"{completion.model} gives no log-probabilities. Leave out #logprobs to have them stated.")
    letters = letters_of(options)
    places = [one for one in completion.logprobs if str(one["token"]).strip(AROUND).upper() in letters]
    place: dict[str, Any] = (places or completion.logprobs)[0]
    # Servers list the token that was said among the likeliest, or beside them.
    likeliest = {str(one["token"]): float(one["logprob"]) for one in place["top"]}
    likeliest.setdefault(str(place["token"]), float(place["logprob"]))
    try:
        found = read_letters(likeliest, options=options)
    except Invalid:
        return Read(Unreadable(completion.text))
    return Read(found.distribution, found.words)
