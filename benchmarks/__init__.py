"""Side-by-side measurements against peers, as ratios in one run."""
