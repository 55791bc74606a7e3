"""Series of numbers: families of rules, programs made of them, and what explains a series."""
