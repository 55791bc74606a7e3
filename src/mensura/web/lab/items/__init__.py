"""Items as experimenters see them: tables at hand, the answers to one item, and how two replies differ."""
