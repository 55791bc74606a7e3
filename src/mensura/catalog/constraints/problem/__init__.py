"""Problems of distributed constraints: variables, agents and tables."""
