"""PAGI World: two-dimensional rooms with physics, in which a body with two hands senses and acts."""
