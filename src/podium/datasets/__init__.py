"""Tables bundled with podium, each with its source."""

from podium.datasets.loaders import load_cars, load_demsar2006, load_uci_chains, load_ulas2008

__all__ = ["load_cars", "load_demsar2006", "load_uci_chains", "load_ulas2008"]
