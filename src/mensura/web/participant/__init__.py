"""The participants' half of the laboratory: a link, the steps behind it, a seat in a session, and the others in it."""
