"""Data: files and folders of rows that others made, and which of their columns make an item."""
