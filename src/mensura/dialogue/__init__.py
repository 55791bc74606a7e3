"""The contract: a test is a dialogue. It yields asks and receives answers; nothing else is needed."""

from mensura.dialogue.administered import Administered, Administrator
from mensura.dialogue.ask import SUBJECT, Ask, Break, Outcome, Pass, Round, Save
from mensura.dialogue.bank import Bank, BankOrigin, Item
from mensura.dialogue.chat import chat
from mensura.dialogue.clock import Clock, Timing
from mensura.dialogue.columns import Columns, columns_of
from mensura.dialogue.definition import Instance, Judged, Sees, TaskClass, Test, instance_hash, test
from mensura.dialogue.parameters import Between
from mensura.dialogue.prompts.base import Prompt, PromptLike, prompt_data, prompt_text
from mensura.dialogue.prompts.beside import Beside
from mensura.dialogue.prompts.chart import Chart
from mensura.dialogue.prompts.chat_log import ChatLog, Utterance
from mensura.dialogue.prompts.grid import Grid, Readings
from mensura.dialogue.prompts.image import Image
from mensura.dialogue.prompts.mailbox import Mailbox, Message
from mensura.dialogue.prompts.map import Feature, Map
from mensura.dialogue.prompts.media import Audio, Media, Preload, Video
from mensura.dialogue.prompts.table import TableView
from mensura.dialogue.record import Answer, Items, Record, Scores, counted_together, make_record, session_mean
from mensura.dialogue.reply import Abstained, Noted, Refused, Wait
from mensura.dialogue.score import ABILITY, Score, read_scores, undeclared
from mensura.dialogue.session.asking import Status
from mensura.dialogue.session.event import Event
from mensura.dialogue.session.limits import Limits
from mensura.dialogue.session.log import Trace
from mensura.dialogue.session.replay import catch_up, replay
from mensura.dialogue.session.session import Session
from mensura.dialogue.spaces.base import Space
from mensura.dialogue.spaces.call import Call, Tool
from mensura.dialogue.spaces.calls import Anything, Calls
from mensura.dialogue.spaces.choice import Action, Choice
from mensura.dialogue.spaces.density import Density
from mensura.dialogue.spaces.embedded import Embedded
from mensura.dialogue.spaces.number import Likert, Number, Probability
from mensura.dialogue.spaces.place import Circle, Point
from mensura.dialogue.spaces.questions import Questions, unfolded
from mensura.dialogue.spaces.shares import Allocation, Distribution
from mensura.dialogue.spaces.table import File, Table
from mensura.dialogue.spaces.text import Text
from mensura.dialogue.spaces.vector import Vector
from mensura.dialogue.streams import Address, Seed, generator
from mensura.dialogue.tally import OUTCOMES, UNANSWERED, Tally, merged, tally_of, tally_words

__all__ = [
    "ABILITY",
    "OUTCOMES",
    "SUBJECT",
    "UNANSWERED",
    "Abstained",
    "Action",
    "Address",
    "Administered",
    "Administrator",
    "Allocation",
    "Answer",
    "Anything",
    "Ask",
    "Audio",
    "Bank",
    "BankOrigin",
    "Beside",
    "Between",
    "Break",
    "Call",
    "Calls",
    "Chart",
    "ChatLog",
    "Choice",
    "Circle",
    "Clock",
    "Columns",
    "Density",
    "Distribution",
    "Embedded",
    "Event",
    "Feature",
    "File",
    "Grid",
    "Image",
    "Instance",
    "Item",
    "Items",
    "Judged",
    "Likert",
    "Limits",
    "Mailbox",
    "Map",
    "Media",
    "Message",
    "Noted",
    "Number",
    "Outcome",
    "Pass",
    "Point",
    "Preload",
    "Probability",
    "Prompt",
    "PromptLike",
    "Questions",
    "Readings",
    "Record",
    "Refused",
    "Round",
    "Save",
    "Score",
    "Scores",
    "Seed",
    "Sees",
    "Session",
    "Space",
    "Status",
    "Table",
    "TableView",
    "Tally",
    "TaskClass",
    "Test",
    "Text",
    "Timing",
    "Tool",
    "Trace",
    "Utterance",
    "Vector",
    "Video",
    "Wait",
    "catch_up",
    "chat",
    "columns_of",
    "counted_together",
    "generator",
    "instance_hash",
    "make_record",
    "merged",
    "prompt_data",
    "prompt_text",
    "read_scores",
    "replay",
    "session_mean",
    "tally_of",
    "tally_words",
    "test",
    "undeclared",
    "unfolded",
]
