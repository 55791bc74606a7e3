"""The hub: agents in processes of their own, on any machine, over TCP."""
