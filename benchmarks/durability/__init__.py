"""The cost of keeping every answer through a power cut."""
