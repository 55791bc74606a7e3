"""Studies from the pages: plans that are written, checked and rehearsed in the browser."""
