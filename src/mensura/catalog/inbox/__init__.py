"""Mail that arrives in time and must be filed before it is due."""
