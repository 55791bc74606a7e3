"""Λ*: the universal-intelligence grid world for agents and collectives (Chmait, Li, Dowe and Green 2016)."""
