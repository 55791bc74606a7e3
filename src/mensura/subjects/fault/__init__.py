"""Faults: what goes wrong round any subject, or inside it, by a stated dose; `fault:drop(chance)#rate=0.1`."""
