"""Faults: what goes wrong between a test and any subject, or inside it, by a stated dose; `fault:drop(chance)#rate=0.1`."""
