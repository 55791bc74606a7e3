"""Membership: who belongs to a study, and who looked at what of it."""
