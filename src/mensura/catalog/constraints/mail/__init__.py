"""Mail: what agents are given and send, and the mailman who carries it."""
