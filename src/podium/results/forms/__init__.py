"""The forms in which numbers come and go: one file each, all through the same door (`assemble`)."""
