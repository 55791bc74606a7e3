"""Extensions of Λ* after section 6 of its paper: what a search for one moving target cannot show."""
