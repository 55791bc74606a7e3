"""Sealed contents, which nobody may read early or alter unseen: keys, sealing, custody, the chain and its proof."""
