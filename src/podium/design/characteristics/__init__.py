"""Characteristics of data sets: a map to a vector of any length, and a reduction of it to numbers.

Each is defined in a module of this folder as a `Characteristic`. To add one, add a module, or a definition to the
module of its family.

M. J. A. Eugster (2011). Benchmark Experiments. Dissertation, LMU Munich, section 5.2. — R. D. King, C. Feng,
A. Sutherland (1995). StatLog: comparison of classification algorithms on large real-world problems. Applied Artificial
Intelligence 9, 289–333.
"""
