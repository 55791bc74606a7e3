"""Drawings of prompts: charts and maps as SVG, words as HTML."""
