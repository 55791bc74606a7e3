"""Reference solvers, one file each, after published methods by algorithms of their own."""
