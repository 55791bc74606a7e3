"""Protection against strangers: headers, rate limits, signatures, forms that only our pages can send."""
