"""A small world written by hand: two buildings, five rooms, seven events, three vendors, nine letters.

The great hall is lost on all of Tuesday (slots 5 to 9). Three events stood there: the keynote, the panel, the dinner.
The keynote fits into the Orchard auditorium, which Ines Valdez holds on Tuesday morning and gives up when asked.
"""

from datetime import date

from mensura.catalog.crisis.world.mail import Letter, Task
from mensura.catalog.crisis.world.people import Person
from mensura.catalog.crisis.world.place import Building, Reservation, Room
from mensura.catalog.crisis.world.programme import Event, Talk
from mensura.catalog.crisis.world.rule import Rule
from mensura.catalog.crisis.world.site import Entry
from mensura.catalog.crisis.world.supply import Item, Order, Vendor
from mensura.catalog.crisis.world.time import slot_words
from mensura.catalog.crisis.world.world import Loss, World

TUESDAY = (5, 6, 7, 8, 9)


def small_world() -> World:
    """Build it."""
    return World(
        name="small",
        purpose="practice",
        seed=0,
        today=date(2027, 5, 5),
        first=date(2027, 5, 10),
        title="Conference on Small Things",
        boss="chair",
        predecessor="blum",
        buildings=(
            Building(id="linden", name="Linden Hall", about="The old main building.", x=0.0, y=0.0),
            Building(id="orchard", name="Orchard House", about="A hotel across the lawn.", x=220.0, y=80.0),
        ),
        rooms=_rooms(),
        people=_people(),
        events=_events(),
        vendors=_vendors(),
        orders=(
            Order(
                id="o-1", vendor="brightline", item="microphone-set", quantity=1, event="panel", room="great", slot=6
            ),
            Order(id="o-2", vendor="saffron", item="dinner", quantity=90, event="dinner", room="great", slot=9),
        ),
        site=_site(),
        rules=_rules(),
        letters=_letters(),
        loss=Loss(rooms=("great",), slots=TUESDAY, cause="A burst pipe has flooded the great hall."),
        manual="# Manual\n\nEvery event has a room of its own. The keynote has no rival.\n",
        pages={"parking": "# Parking\n\nBehind Orchard House.\n"},
        budget=6000.0,
        minutes=30,
        floor_money=95.0,
        floor_bumps=1,
        ceiling={"quality": 1.0},
    )


def _rooms() -> tuple[Room, ...]:
    return (
        Room(
            id="great",
            name="Great Hall",
            building="linden",
            capacity={"theatre": 200, "banquet": 120, "open": 250},
            equipment=("projector", "screen", "microphone", "stage", "internet"),
            assumed={"theatre": 200, "banquet": 120, "open": 250},
            assumed_equipment=("projector", "screen", "microphone", "stage"),
        ),
        Room(
            id="l12",
            name="Linden 12",
            building="linden",
            floor=1,
            capacity={"theatre": 60, "classroom": 40, "boardroom": 20},
            equipment=("screen", "whiteboard"),
            assumed={"theatre": 80, "classroom": 50, "boardroom": 20},
            assumed_equipment=("projector", "screen", "whiteboard"),
        ),
        Room(
            id="auditorium",
            name="Orchard Auditorium",
            building="orchard",
            capacity={"theatre": 180, "classroom": 90},
            equipment=("projector", "screen", "microphone", "internet"),
            reservations=(
                Reservation(slot=5, owner="ines", purpose="staff training", yields=True),
                Reservation(slot=7, owner="otto", purpose="board meeting", yields=False),
            ),
            closed=(9,),
            price=50.0,
            assumed={"theatre": 150, "classroom": 90},
            assumed_equipment=("projector", "screen", "microphone"),
        ),
        Room(
            id="terrace",
            name="Terrace Room",
            building="orchard",
            capacity={"theatre": 110, "banquet": 100, "open": 140},
            equipment=("screen",),
            price=30.0,
            assumed={"theatre": 110, "banquet": 80, "open": 140},
            assumed_equipment=("screen",),
        ),
        Room(id="store", name="Linen store", building="orchard", floor=-1, capacity={"open": 4}, usable=False),
    )


def _people() -> tuple[Person, ...]:
    return (
        Person(
            id="chair",
            name="Ruth Amadi",
            mail="amadi@lakeside.example",
            phone="+1 555 0100",
            affiliation="Lakeside University",
            post="conference chair",
            style="formal",
        ),
        Person(id="blum", name="Peter Blum", mail="blum@smallthings.example", phone="+1 555 0101", post="planner"),
        Person(
            id="ada",
            name="Ada Brandt",
            mail="brandt@north.example",
            phone="+1 555 0102",
            affiliation="North College",
            fax="+1 555 0192",
            site="https://north.example/brandt",
            post="speaker",
            style="pompous",
        ),
        Person(
            id="kofi", name="Kofi Mensah", mail="kofi@delta.example", phone="+1 555 0103", post="speaker", style="terse"
        ),
        Person(
            id="lena", name="Lena Fuchs", mail="lf@delta.example", phone="+1 555 0104", post="speaker", style="careless"
        ),
        Person(
            id="ines", name="Ines Valdez", mail="valdez@orchard.example", phone="+1 555 0105", post="training officer"
        ),
        Person(id="otto", name="Otto Krag", mail="krag@orchard.example", phone="+1 555 0106", post="director"),
        Person(id="joan", name="Joan Pike", mail="joan@orchard.example", phone="+1 555 0107", post="house manager"),
    )


def _events() -> tuple[Event, ...]:
    return (
        Event(
            id="keynote",
            kind="keynote",
            title="What small things weigh",
            short="the keynote",
            attendance=170,
            layout="theatre",
            needs=("projector", "screen", "microphone"),
            talks=(Talk(id="t-1", title="What small things weigh", speaker="ada"),),
            chair="chair",
            room="great",
            slot=5,
            assumed_attendance=150,
        ),
        Event(
            id="panel",
            kind="panel",
            title="Who counts the ants?",
            short="the ants panel",
            track="A",
            attendance=50,
            layout="theatre",
            needs=("screen", "microphone"),
            talks=(
                Talk(id="t-2", title="Counting by foot", speaker="kofi"),
                Talk(id="t-3", title="Counting by ear", speaker="lena"),
            ),
            chair="ada",
            room="great",
            slot=6,
        ),
        Event(
            id="dinner",
            kind="social",
            title="Conference dinner",
            short="the dinner",
            attendance=90,
            layout="banquet",
            catering=90,
            room="great",
            slot=9,
        ),
        Event(
            id="papers",
            kind="papers",
            title="Methods of counting",
            short="Papers A1",
            track="A",
            attendance=40,
            layout="theatre",
            needs=("projector", "screen"),
            talks=(
                Talk(id="t-4", title="A faster abacus", speaker="lena"),
                Talk(id="t-5", title="Pebbles revisited", speaker="kofi"),
            ),
            room="auditorium",
            slot=0,
        ),
        Event(
            id="tutorial",
            kind="tutorial",
            title="Counting for beginners",
            short="the tutorial",
            length=2,
            attendance=30,
            layout="classroom",
            needs=("whiteboard",),
            talks=(Talk(id="t-6", title="Counting for beginners", speaker="lena"),),
            room="l12",
            slot=2,
        ),
        Event(
            id="posters",
            kind="posters",
            title="Poster session",
            short="the posters",
            attendance=80,
            layout="open",
            talks=(Talk(id="t-7", title="Forty ants", speaker="kofi"),),
            room="terrace",
            slot=8,
        ),
        Event(
            id="board",
            kind="meeting",
            title="Programme committee",
            short="the committee",
            attendance=12,
            layout="boardroom",
            chair="chair",
            room="l12",
            slot=10,
        ),
    )


def _vendors() -> tuple[Vendor, ...]:
    return (
        Vendor(
            id="brightline",
            name="Brightline Audio-Visual",
            kind="audio-visual",
            items=(
                Item(id="projector-set", name="Projector", price=60.0, gives="projector"),
                Item(id="microphone-set", name="Microphone set", price=35.0, gives="microphone"),
                Item(id="screen-set", name="Screen", price=20.0, gives="screen"),
            ),
            delivery=15.0,
            change_fee=10.0,
            cancel_fee=20.0,
        ),
        Vendor(
            id="saffron",
            name="Saffron Kitchen",
            kind="catering",
            items=(
                Item(id="dinner", name="Dinner, per head", price=22.0, gives="catering"),
                Item(id="coffee", name="Coffee break, per head", price=4.0, gives="catering"),
            ),
            lead_days=2,
            delivery=25.0,
            change_fee=30.0,
            cancel_fee=60.0,
        ),
        Vendor(
            id="petal",
            name="Petal & Stem",
            kind="flowers",
            items=(Item(id="bouquet", name="Table bouquet", price=18.0),),
            cancel_fee=5.0,
        ),
    )


def _site() -> tuple[Entry, ...]:
    first = date(2027, 5, 10)
    room = {room.id: room.name for room in _rooms()}
    programme = tuple(
        Entry(
            id=f"site-{event.id}",
            page="programme",
            event=event.id,
            fields={"title": event.title, "room": room[event.room], "time": slot_words(event.slot, first=first)},
        )
        for event in _events()
    )
    return (
        *programme,
        Entry(
            id="site-ada",
            page="people",
            fields={"name": "Ada Brandt", "affiliation": "North College", "phone": "+1 555 0102"},
        ),
        Entry(id="site-kofi", page="people", fields={"name": "Kofi Mensa", "affiliation": "Delta Institute"}),
        Entry(id="site-orchard", page="venue", fields={"name": "Orchard House", "address": "2 Lawn Road"}),
        Entry(id="site-news-1", page="news", fields={"title": "Registration is open", "text": "Come one, come all."}),
    )


def _rules() -> tuple[Rule, ...]:
    rules: list[Rule] = []
    for event in _events():
        rules.append(Rule(id=f"placed-{event.id}", kind="placed", leaf="placed", event=event.id, weight=2.0))
        rules.append(Rule(id=f"capacity-{event.id}", kind="capacity", leaf="capacity", event=event.id))
        for item in event.needs:
            rules.append(
                Rule(id=f"equipment-{event.id}-{item}", kind="equipment", leaf="equipment", event=event.id, item=item)
            )
        if event.catering:
            rules.append(Rule(id=f"catering-{event.id}", kind="catering", leaf="catering", event=event.id))
        if event.people:
            rules.append(Rule(id=f"speakers-{event.id}", kind="speakers", leaf="speakers", event=event.id))
    return (
        *rules,
        Rule(id="alone-keynote", kind="alone", leaf="plenaries", event="keynote"),
        Rule(id="evening-dinner", kind="slots", leaf="times", event="dinner", slots=(4, 9, 14, 19)),
        Rule(id="tutorial-first", kind="before", leaf="sequence", event="tutorial", other="panel"),
        Rule(id="stay-board", kind="stay", leaf="announced", event="board", weight=0.5),
        Rule(
            id="away-kofi",
            kind="away",
            leaf="availability",
            person="kofi",
            slots=(5, 6, 7, 8, 9),
            source="m-3",
            words="Kofi Mensah is away on Tuesday.",
        ),
        Rule(
            id="building-panel",
            kind="building",
            leaf="requests",
            event="panel",
            place="orchard",
            source="m-4",
            words="The ants panel would like to be in Orchard House.",
        ),
    )


def _letters() -> tuple[Letter, ...]:
    return (
        Letter(
            id="b-1",
            tick=-90000,
            sender="brightline",
            subject="Your order o-1",
            body="Thank you for your order: 1 microphone set, Great Hall, Tuesday 11 May.",
            order="o-1",
            about=("o-1", "panel", "great"),
        ),
        Letter(
            id="b-2",
            tick=-80000,
            sender="saffron",
            subject="Your order o-2",
            body="Thank you for your order: 90 dinners, Great Hall, Tuesday 11 May, evening.",
            order="o-2",
            about=("o-2", "dinner", "great"),
        ),
        Letter(
            id="m-1",
            tick=0,
            sender="chair",
            subject="The Great Hall is under water",
            body="A pipe has burst. The Great Hall cannot be used on Tuesday. Please replan, publish the new schedule "
            "on the site, and send me a briefing before you leave.",
            tasks=(
                Task(id="task-crisis", kind="crisis"),
                Task(id="task-publish", kind="publish"),
                Task(id="task-briefing", kind="briefing"),
            ),
            about=("great",),
        ),
        Letter(
            id="m-2",
            tick=120,
            sender="joan",
            subject="Auditorium seats",
            body="We took out a row: the Orchard auditorium now seats 180 in theatre style. And there is no projector "
            "in Linden 12 any more, I am told.",
            tasks=(
                Task(
                    id="task-seats",
                    kind="room_fact",
                    target={"room": "auditorium", "fact": "capacity.theatre", "value": 180},
                ),
                Task(
                    id="task-projector",
                    kind="room_fact",
                    target={"room": "l12", "fact": "equipment", "value": ["screen", "whiteboard"]},
                ),
            ),
            about=("auditorium", "l12"),
        ),
        Letter(
            id="m-3",
            tick=240,
            sender="kofi",
            subject="Tuesday",
            body="Away Tuesday, all day. Other days fine. KM",
            tasks=(
                Task(
                    id="task-kofi",
                    kind="availability",
                    rules=("away-kofi",),
                    target={"person": "kofi", "slots": [5, 6, 7, 8, 9]},
                ),
            ),
            about=("kofi",),
        ),
        Letter(
            id="m-4",
            tick=400,
            sender="lena",
            subject="ants panel",
            body="hi, could the ants panel be in orchard house pls? my nmae on the site is fine but kofis is spelt "
            "wrong, should be Kofi Mensah",
            tasks=(
                Task(
                    id="task-orchard",
                    kind="preference",
                    rules=("building-panel",),
                    target={"event": "panel", "place": "orchard"},
                ),
                Task(
                    id="task-name",
                    kind="web",
                    target={"entry": "site-kofi", "field": "name", "value": "Kofi Mensah"},
                ),
            ),
            about=("panel", "orchard", "site-kofi", "kofi"),
        ),
        Letter(
            id="m-5",
            tick=600,
            sender="ada",
            subject="Attendance at my keynote",
            body="I have it on good authority that 170 persons will attend my keynote. Kindly provide accordingly. "
            "Where, incidentally, does one park?",
            tasks=(
                Task(
                    id="task-attendance",
                    kind="event_fact",
                    target={"event": "keynote", "fact": "attendance", "value": 170},
                ),
                Task(id="task-parking", kind="query", target={"answer": ["Orchard House", "behind"]}),
            ),
            about=("keynote",),
        ),
        Letter(
            id="m-6",
            tick=700,
            sender="chair",
            subject="Flowers",
            body="Please order two bouquets for the dinner tables.",
            tasks=(
                Task(
                    id="task-flowers",
                    kind="order",
                    target={"vendor": "petal", "item": "bouquet", "quantity": 2, "event": "dinner"},
                ),
            ),
            about=("dinner",),
        ),
        Letter(id="m-7", tick=800, sender="otto", subject="Lost umbrella", body="Has anyone seen a green umbrella?"),
    )
