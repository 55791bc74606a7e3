"""Prompts: what is shown, as data first, one noun per file."""

from mensura.dialogue.prompts.base import Prompt, PromptLike, prompt_data, prompt_text
from mensura.dialogue.prompts.chart import Chart
from mensura.dialogue.prompts.grid import Grid, Readings
from mensura.dialogue.prompts.image import Image
from mensura.dialogue.prompts.mailbox import Mailbox, Message
from mensura.dialogue.prompts.map import Feature, Map
from mensura.dialogue.prompts.table import TableView

__all__ = [
    "Chart",
    "Feature",
    "Grid",
    "Image",
    "Mailbox",
    "Map",
    "Message",
    "Prompt",
    "PromptLike",
    "Readings",
    "TableView",
    "prompt_data",
    "prompt_text",
]
