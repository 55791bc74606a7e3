"""The grammar of operations: written once, it serves generators, proofs, loads, solvers and drawings."""
