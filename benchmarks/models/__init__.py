"""Runs of items by language models: how fast they are taken, and how fast their pages are."""
