"""The mailbox: everything that was there, and everything that arrives, each at its tick."""

from random import Random

from mensura.catalog.crisis.mail.chatter import DAY, chatter
from mensura.catalog.crisis.mail.compose import Deck, pair_up, write
from mensura.catalog.crisis.mail.corrections import corrections
from mensura.catalog.crisis.mail.demands import orders, queries
from mensura.catalog.crisis.mail.facts import event_facts, room_facts
from mensura.catalog.crisis.mail.notices import notices
from mensura.catalog.crisis.mail.once import Once
from mensura.catalog.crisis.mail.receipt import receipts
from mensura.catalog.crisis.mail.reference import References
from mensura.catalog.crisis.mail.stimulus import Stimulus
from mensura.catalog.crisis.mail.wishes import absences, old_absences, preferences
from mensura.catalog.crisis.world.backdrop import Backdrop
from mensura.catalog.crisis.world.mail import Letter
from mensura.catalog.crisis.world.parameters import FIXED
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.site import SiteEntry
from mensura.errors import BadFile

_OLD = 4
"""Absences told long ago, which the mailbox still holds."""
_LAST = 0.75
"""No task arrives after this share of the time, so that everything can still be done."""


def make_mail(
    scene: Backdrop, *, site: list[SiteEntry], seed: int, place: str
) -> tuple[list[Letter], list[Requirement]]:
    """Write all mail of a world; entries of the site that a letter corrects are made wrong in place.

    Raises
    ------
    BadFile
        When the parameters ask for more of something than this conference gives rise to.
    """
    rng = Random(f"mail {seed}")
    values: dict[str, object] = {**scene.values, "today": scene.today, "first": scene.first}
    values |= {"title": f"the {scene.field.title}", "tag": scene.field.tag, "university": scene.university}
    values |= {"boss": scene.staff.boss.name, "predecessor": scene.staff.predecessor.name}
    stimuli = _stimuli(scene, site=site, rng=rng)
    _check(scene, stimuli, place=f"{place}: parameters")
    deck, once = Deck(rng), Once(rng)
    letters, rules = _signal(scene, stimuli=stimuli, deck=deck, once=once, values=values, rng=rng)
    for n, stimulus in enumerate(old_absences(scene, known=stimuli, number=_OLD, rng=Random(f"old {seed}"))):
        letter, brought = write(
            [stimulus], id=f"b-old-{n + 1}", tick=-rng.randrange(5 * DAY, 45 * DAY), people=scene.people, values=values,
            deck=deck, once=once, rng=rng,
        )  # fmt: skip
        letters.append(letter)
        rules += brought
    taken: set[str] = set()
    end = scene.parameters.minutes * 60
    noise = sorted(rng.randrange(30, int(0.95 * end)) for _ in range(scene.parameters.noise))
    letters += chatter("noise", scene=scene, ticks=noise, prefix="n", values=values, taken=taken, once=once, rng=rng)
    letters += _past(scene, values=values, taken=taken, once=once, rng=rng)
    letters.sort(key=lambda letter: (letter.tick, letter.id))
    return letters, rules


def _check(scene: Backdrop, stimuli: list[Stimulus], *, place: str) -> None:
    """Refuse to send fewer messages, or fewer tasks, than were asked for."""
    parameters = scene.parameters
    if missing := parameters.tasks - len(stimuli):
        wishes = parameters.preferences - missing
        raise BadFile(f"{place}.preferences: only {wishes} wishes can be met by one schedule; ask for no more.")
    least = len(pair_up(stimuli, number=len(stimuli)))
    if (short := least - (parameters.signals - FIXED)) > 0:
        raise BadFile(
            f"{place}.messages: {short} of the tasks would have to be brought with another by the same sender, and "
            f"there is none; make it {parameters.messages + short} or more."
        )


def _signal(
    scene: Backdrop, *, stimuli: list[Stimulus], deck: Deck, once: Once, values: dict[str, object], rng: Random
) -> tuple[list[Letter], list[Requirement]]:
    fixed = notices(scene)
    drawn = pair_up(stimuli, number=scene.parameters.doubled)
    rng.shuffle(drawn)
    end = scene.parameters.minutes * 60
    # A fifth lies there when the subject sits down or soon after; the rest is spread out.
    early = len(drawn) // 5
    ticks = sorted(
        [rng.randrange(20, 150) for _ in range(early)] + [rng.randrange(150, int(_LAST * end)) for _ in drawn[early:]]
    )
    fixed_ticks = (0, 45, int(0.05 * end), int(0.12 * end), int(0.65 * end))
    planned = sorted(
        [*zip(fixed_ticks, ([one] for one in fixed), strict=True), *zip(ticks, drawn, strict=True)],
        key=lambda pair: pair[0],
    )
    letters: list[Letter] = []
    rules: list[Requirement] = []
    for n, (tick, those) in enumerate(planned):
        letter, brought = write(
            those, id=f"m-{n + 1}", tick=tick, people=scene.people, values=values, deck=deck, once=once, rng=rng
        )
        letters.append(letter)
        rules += brought
    return letters, rules


def _stimuli(scene: Backdrop, *, site: list[SiteEntry], rng: Random) -> list[Stimulus]:
    references = References(scene)
    made = [
        *absences(scene, rng=rng),
        *preferences(scene, references=references, rng=rng),
        *event_facts(scene, references=references, rng=rng),
        *orders(scene, references=references, rng=rng),
        *room_facts(scene, references=references, rng=rng),
    ]
    # Those who work here know their own house and have no entry on the site: they do not ask.
    hosts = [id for id in dict.fromkeys(stimulus.sender for stimulus in made) if id not in _staff(scene)]
    rng.shuffle(hosts)
    own = [id for id in hosts if id in set(scene.speakers)][: scene.parameters.web * 2 // 3]
    made += corrections(scene, site=site, hosts=own, number=scene.parameters.web, references=references, rng=rng)
    askers = [id for id in hosts if id not in own]
    made += queries(scene, hosts=askers, number=scene.parameters.queries, rng=rng)
    return made


def _staff(scene: Backdrop) -> set[str]:
    staff = scene.staff
    parts = (staff.boss, staff.webmaster, staff.registrar, staff.treasurer, staff.volunteer, staff.secretary)
    return {person.id for person in (*parts, *staff.managers.values())}


def _past(scene: Backdrop, *, values: dict[str, object], taken: set[str], once: Once, rng: Random) -> list[Letter]:
    """Write what the predecessor left: receipts, talk about the conference, and a little noise."""
    number = scene.parameters.backstory
    idle = number // 5
    ticks = sorted(-rng.randrange(3600, 50 * DAY) for _ in range(number - idle))
    letters = chatter("backstory", scene=scene, ticks=ticks, prefix="b", values=values, taken=set(), once=once, rng=rng)
    ticks = sorted(-rng.randrange(3600, 30 * DAY) for _ in range(idle))
    letters += chatter("noise", scene=scene, ticks=ticks, prefix="bn", values=values, taken=taken, once=once, rng=rng)
    ticks = sorted(-rng.randrange(5 * DAY, 40 * DAY) for _ in scene.orders)
    return letters + receipts(scene, ticks=ticks, rng=rng)
