"""How large the screen of a person is: they fit a card on it to a card in their hand."""
