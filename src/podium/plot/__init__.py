"""Drawings of benchmark experiments, in matplotlib: axes in, axes out.

Every function takes what it draws: `Results`, what was computed from them, or the numbers of the figure that
`podium.plot.figures` computes. It draws on the axes given as `ax`, or on new ones, and returns the axes: one `Axes`, or
an array of them from the plots with several panels, such as `trellis` and `fitted_boxes`. Nothing is shown, and no
setting of matplotlib is changed permanently.

Each plot is a file of this folder with a function decorated by `plot_of`; whatever such a file lists in ``__all__`` is
a name of this module.
"""

from podium.plot.namespace import publish

publish(__name__)
