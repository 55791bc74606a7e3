"""Neural Fidelity Assessment: a panel judges a model's components, a manager decides, experts review."""
