"""Trellis of Hasse diagrams: the relation of every data set of a domain."""

from __future__ import annotations

from collections.abc import Sequence

from podium.analysis.domain import Domain
from podium.checks import as_list, check_count, expect, is_whole, record, shown
from podium.errors import InputError
from podium.figures.hasse import Hasse, hasse
from podium.figures.numbers import Numbers

__all__ = ["HasseTrellis", "hasse_trellis"]


@record(eq=False, kw_only=True)
class HasseTrellis(Numbers):
    """Numbers of a trellis of Hasse diagrams.

    Attributes
    ----------
    datasets : tuple of str
        In the order of the dendrogram's leaves.
    panels : tuple of Hasse
        One per data set.
    algorithms : tuple of str
    page, pages : int
        Which of how many pages this is.
    """

    datasets: tuple[str, ...]
    panels: tuple[Hasse, ...]
    algorithms: tuple[str, ...]
    page: int = 1
    pages: int = 1


def hasse_trellis(
    domain: Domain, *, datasets: Sequence[str] | None = None, page: int = 1, per_page: int = 36
) -> HasseTrellis:
    """Compute the numbers of a trellis of Hasse diagrams.

    Parameters
    ----------
    datasets : sequence of str, optional
        Some of the data sets, in the desired order; by default all of them, in the order of the dendrogram.
    page : int, default 1
        Which page, where there are more data sets than one page shows.
    per_page : int, default 36
        How many data sets a page shows.
    """
    expect(domain, Domain, "domain")
    order = domain.order if datasets is None else domain.results.select(dataset=as_list(datasets, "datasets")).datasets
    check_count(per_page, "per_page")
    pages = -(-len(order) // per_page)
    if not is_whole(page) or not 1 <= page <= pages:
        raise InputError(f"`page` must lie between 1 and {pages}, the number of pages; got {shown(page)}.")
    here = tuple(order[(page - 1) * per_page : page * per_page])
    return HasseTrellis(
        datasets=here,
        panels=tuple(hasse(domain.relations[name]) for name in here),
        algorithms=domain.algorithms,
        page=int(page),
        pages=pages,
    )
