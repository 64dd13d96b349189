"""Pure functions on arrays and `Results`: no files, no plots, no network."""
