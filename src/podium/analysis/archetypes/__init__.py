"""Archetypal analysis: extreme points of which observations are mixtures."""
