"""Tests of two algorithms: one module each, found by scanning this folder."""
