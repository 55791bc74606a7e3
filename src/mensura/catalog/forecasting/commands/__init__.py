"""Commands of forecasting beside `mensura score forecasting`: quantities, words, documents, appraisal."""
