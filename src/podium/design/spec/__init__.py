"""The file form of a design: reading with lines, writing, and the JSON Schema."""
