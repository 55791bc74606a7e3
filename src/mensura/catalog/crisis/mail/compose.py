"""Composing: stimuli become letters, some of them two to a letter, each in its writer's style."""

from collections.abc import Mapping, Sequence
from random import Random

from mensura.catalog.crisis.mail.once import Once
from mensura.catalog.crisis.mail.stimulus import Stimulus
from mensura.catalog.crisis.mail.style import dress, dress_subject
from mensura.catalog.crisis.mail.template import Template, by_case, fill
from mensura.catalog.crisis.world.mail import Letter, MailTask
from mensura.catalog.crisis.world.people.person import Person
from mensura.catalog.crisis.world.requirement import Requirement

JOINTS = (
    "Also,", "One more thing.", "While I am writing:", "And another matter.", "PS:", "Second,", "Before I forget:",
    "By the way,", "On a different note:",
)  # fmt: skip


class Deck:
    """Deals templates of a case so that none comes twice before all have come once."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._left: dict[str, list[Template]] = {}

    def deal(self, case: str, *, style: str) -> Template:
        """Return a template for a case that someone of this style could have written."""
        pool = self._left.setdefault(case, [])
        fitting = [one for one in pool if not one.styles or style in one.styles]
        if not fitting:
            pool += self._rng.sample(by_case()[case], len(by_case()[case]))
            fitting = [one for one in pool if not one.styles or style in one.styles]
        chosen = fitting[0]
        pool.remove(chosen)
        return chosen


def pair_up(stimuli: Sequence[Stimulus], *, number: int) -> list[list[Stimulus]]:
    """Put stimuli of one sender together, so many times or as often as can be; return the letters they make.

    Two to a letter, of different kinds, in the order in which they came.
    """
    letters: list[list[Stimulus]] = []
    first_of: dict[str, list[Stimulus]] = {}
    left = number
    for stimulus in stimuli:
        host = first_of.get(stimulus.sender)
        if left and host is not None and len(host) == 1 and host[0].kind != stimulus.kind:
            host.append(stimulus)
            left -= 1
            continue
        fresh = [stimulus]
        first_of[stimulus.sender] = fresh
        letters.append(fresh)
    return letters


def write(
    stimuli: Sequence[Stimulus],
    *,
    id: str,
    tick: int,
    people: Mapping[str, Person],
    values: Mapping[str, object],
    deck: Deck,
    once: Once,
    rng: Random,
) -> tuple[Letter, list[Requirement]]:
    """Write the letter that says all this, and the rules it brings into force."""
    writer = people[stimuli[0].sender]
    parts, tasks, rules, subjects = [], [], [], []
    for n, stimulus in enumerate(stimuli):
        template = deck.deal(stimulus.case, style=writer.style)
        known = {**values, **stimulus.values}
        place = f"template {template.id}"
        words = fill(template.body.strip(), known, place=place)
        parts.append(_joined(rng.choice(JOINTS), words) if n else words)
        subjects.append(once.subject([fill(one, known, place=f"{place}, subject") for one in template.subjects]))
        sourced = [rule.model_copy(update={"source": id}) for rule in stimulus.rules]
        rules += sourced
        tasks.append(
            MailTask(
                id=f"{id}-{n + 1}", kind=stimulus.kind, rules=tuple(rule.id for rule in sourced), target=stimulus.target
            )
        )
    joint = "\n\n" if writer.style in ("formal", "pompous", "plain") else " "
    subject = subjects[0] if len(subjects) == 1 or rng.random() < 0.6 else f"{subjects[0]} / {subjects[1]}"
    letter = Letter(
        id=id,
        tick=tick,
        sender=writer.id,
        subject=dress_subject(subject, style=writer.style, rng=rng),
        body=dress(joint.join(parts), writer=writer, rng=rng, once=once),
        tasks=tuple(tasks),
        about=tuple(dict.fromkeys(thing for stimulus in stimuli for thing in stimulus.about)),
    )
    return letter, rules


def _joined(joint: str, words: str) -> str:
    if joint.endswith(",") and words[:1].isupper() and not words.startswith(("I ", "I'")):
        words = words[0].lower() + words[1:]
    return f"{joint} {words}"
