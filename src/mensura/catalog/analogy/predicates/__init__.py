"""The structure-mapping engine on hand-coded predicates: descriptions, hypotheses, evidence, the best mapping."""
