"""A model as judge: an additional rater of answers, corrected by what people say of a random sample of them."""
