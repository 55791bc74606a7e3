"""Exhibits: tables and pictures with one look, that any report, page or terminal shows."""

from mensura.exhibit.exhibit import Exhibit, Figure, cell_words
from mensura.exhibit.file_scores import FileScores
from mensura.exhibit.group import Group
from mensura.exhibit.look import COLOURS, INK, as_svg
from mensura.exhibit.together import together

__all__ = ["COLOURS", "INK", "Exhibit", "Figure", "FileScores", "Group", "as_svg", "cell_words", "together"]
