"""How fast puzzles are made and proven, and how fast items are calibrated and chosen."""
