"""Forecasts of quantities: quantiles or bins against what the quantities came to."""
