"""The numbers of each figure, as frozen data; `podium.plot` draws them with functions of the same names.

Each figure is a file of this folder; whatever such a file lists in ``__all__`` is a name of this module.
"""

from podium.plot.namespace import publish

publish(__name__)
