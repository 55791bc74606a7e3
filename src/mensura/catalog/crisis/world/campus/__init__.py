"""The campus: buildings and rooms, who holds them, and which of them the disaster takes."""
