"""Comparisons by mean ranks: one module each, found by scanning this folder."""
