"""The forms of tables, arrays and dicts that `podium.read` reads and `Results` exports, one module each."""
