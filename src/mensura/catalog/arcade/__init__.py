"""The hardest games of the arcade, played from where people were, and learning from there."""
