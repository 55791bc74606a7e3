"""From stored records to scores, now and again later."""
