"""The warehouse: where trials are kept, append-only and resumable. Opening one never executes code."""
