"""The languages of the participants' pages: their sentences, which one a visitor reads, and what is missing."""
