"""What keeps strangers out: headers, rate limits, signatures, forms that only our pages can send."""
