"""Sessions that another program administered, stored as if they had been taken here."""
