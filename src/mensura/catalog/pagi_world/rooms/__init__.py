"""Rooms: what they are made of, how they are drawn, when they are solved."""
