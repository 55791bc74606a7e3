"""The Watson effect: one blunder may ruin what a whole game has built up."""
