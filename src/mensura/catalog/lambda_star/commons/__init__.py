"""A common stock that many harvest: does what is good for each ruin what is good for all?"""
