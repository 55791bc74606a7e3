"""The imitation game, and schemas that are set against it."""
