"""Global tests: one module each, found by scanning this folder."""
