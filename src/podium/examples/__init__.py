"""Tables bundled with podium, each with its source."""

from typing import TYPE_CHECKING

from podium.checks import close_module
from podium.examples.loaders import load_cars, load_demsar2006, load_pima, load_uci_chains, load_ulas2008

__all__ = ["load_cars", "load_demsar2006", "load_pima", "load_uci_chains", "load_ulas2008"]

if not TYPE_CHECKING:  # type checkers see the names above, and refuse others themselves
    __getattr__, __dir__ = close_module(__name__, __all__)
