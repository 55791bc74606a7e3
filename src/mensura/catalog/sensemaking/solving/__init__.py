"""The best answers: normative distributions for every stage of every task, and the worth of each INT."""
