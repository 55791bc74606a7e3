"""What an agent may do in a room: the messages of the protocol as tools, several in one answer."""

from mensura.dialogue import Anything, Calls, Number, Text, Tool

NAME = Text(longest=300, lines=1)
LINE = Text(longest=2000, lines=1)
LONG = Text(longest=2000)
FREE = Anything()
TICKS = Number(low=1, high=1_000_000, integer=True)

TOOLS = {
    "addForce": Tool(
        "Use an effector in the next step: LHH LHV LHvec RHH RHV RHvec push a hand, BMH BMV BMvec the body; J jumps, "
        "BR turns by degrees; LHG RHG grip, LHR RHR release.",
        {"effector": NAME, "values": FREE},
        ("values",),
        {"values": "one number, two for vec, or expressions of sensors as text; none for J and grips"},
    ),
    "sensorRequest": Tool(
        "Read a sensor: B0-B7, L0-L4, R0-R4 touch; S, BP, LP, RP, A; V0.0-V30.20, P0.0-P15.10 sight; MDN, MPN names.",
        {"sensor": NAME},
    ),
    "step": Tool("Let the room go on for so many ticks; what was called before takes effect first.", {"ticks": TICKS}),
    "setState": Tool(
        "Activate a state for so many milliseconds; -1 for ever, 0 removes it.", {"name": NAME, "milliseconds": FREE}
    ),
    "setReflex": Tool(
        "Set a reflex: when all conditions hold, its actions are done at once, at every step.",
        {"name": NAME, "conditions": LONG, "actions": FREE},
        ("actions",),
        {
            "conditions": "separated by semicolons: Sx<2, L0_tmp>[50+A], state, -state",
            "actions": "a list of rows, each the name of a tool and its arguments",
        },
    ),
    "removeReflex": Tool("Remove a reflex.", {"name": NAME}),
    "getStates": Tool("List the active states."),
    "getReflexes": Tool("List the reflexes."),
    "findObj": Tool("List the sensors of sight that see a thing.", {"name": NAME, "mode": NAME}),
    "say": Tool(
        "Make a bubble of speech, which others see and hear; speaker is P for yourself, N for nobody, or a thing.",
        {"text": LINE, "speaker": NAME, "seconds": FREE, "x": FREE, "y": FREE},
        ("speaker", "seconds", "x", "y"),
    ),
    "print": Tool("Write a line to the console.", {"text": LINE}),
    "SC": Tool("Pass on what a person types to the agents: all hear it as a spoken command.", {"text": LINE}),
    "answerQuestion": Tool("Answer a question of the room.", {"question": NAME, "answer": FREE}),
    "getOutcome": Tool("Ask how it stands: success, ticks, endorphins, work."),
    "dropItem": Tool(
        "Put a thing into the room, where the room allows it.",
        {"name": NAME, "x": FREE, "y": FREE, "note": LINE},
        ("note",),
    ),
    "createItem": Tool(
        "Make a thing of your own with a picture.",
        {
            "name": NAME, "picture": LINE, "x": FREE, "y": FREE, "mass": FREE, "physics": FREE, "rotation": FREE,
            "endorphin": FREE, "kinematic": FREE, "size": FREE,
        },
        ("size",),
    ),
    "addForceToItem": Tool("Push a thing of your own.", {"name": NAME, "x": FREE, "y": FREE, "torque": FREE}),
    "getInfoAboutItem": Tool("Ask where a thing of your own is.", {"name": NAME}),
    "destroyItem": Tool("Destroy a thing of your own.", {"name": NAME}),
    "changeItem": Tool("Move a thing of the room or change what it is like.", {"name": NAME, "changes": FREE}),
    "setGravity": Tool("Change gravity.", {"x": FREE, "y": FREE}),
    "loadTask": Tool("Load another room.", {"name": LINE, "room": FREE}, ("room",)),
    "saveTask": Tool("Save the room as it is now.", {"name": LINE}),
    "reset": Tool("Put the room back as it was at first."),
}  # fmt: skip
SPACE = Calls(TOOLS)
EDITS = frozenset(
    {
        "dropItem", "createItem", "addForceToItem", "getInfoAboutItem", "destroyItem", "changeItem", "setGravity",
        "loadTask", "saveTask", "reset",
    }
)  # fmt: skip
"""What changes a room, and is refused where one is scored for what one does in it."""
NEVER_BY_REFLEX = frozenset({"setReflex", "step", "reset", "loadTask", "saveTask", "answerQuestion", "SC"})
