"""Understanding of a phenomenon: predict, achieve, explain, recreate."""
