"""`resampling_effect`: how the samples of a resampling scheme differ from the data set they are drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from podium.checks import as_list, check_call, check_seed, describe
from podium.design.characteristics.characterize import characterize_data
from podium.design.characteristics.recorded import sampling_experiment
from podium.design.characteristics.selection import Chosen, chosen_characteristics
from podium.design.resampling import Resampling, as_resampling
from podium.errors import InputError
from podium.typesetting import Table


@check_call
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ResamplingEffect:
    """Characteristics of learning samples, compared with those of the whole data sets.

    Attributes
    ----------
    samples : DataFrame
        One row per data set, scheme and replication, one column per characteristic.
    whole : DataFrame
        One row per data set.
    """

    _made_from: ClassVar = ((object, "Create one with podium.design.resampling_effect(datasets, resampling)."),)

    samples: pd.DataFrame
    whole: pd.DataFrame

    def frame(self) -> pd.DataFrame:
        """One row per data set, scheme and characteristic.

        Returns
        -------
        DataFrame
            ``whole`` is the characteristic of the data set; ``mean``, ``bias`` (mean minus whole), ``bias_se`` (its
            standard error over samples) and ``sd`` are those of the learning samples, ``missing`` the number of samples
            without a value.
        """
        rows = []
        groups: Any = self.samples.groupby(level=["dataset", "scheme"], sort=False)
        table: Any = self.whole
        for (dataset, scheme), part in groups:
            for name in part.columns:
                known = part[name].dropna().to_numpy()
                whole = float(table.loc[dataset, name])
                mean = float(known.mean()) if len(known) else np.nan
                sd = float(known.std(ddof=1)) if len(known) > 1 else np.nan
                rows.append(
                    {
                        "dataset": dataset,
                        "scheme": scheme,
                        "characteristic": name,
                        "whole": whole,
                        "mean": mean,
                        "bias": mean - whole,
                        "bias_se": sd / np.sqrt(len(known)) if len(known) else np.nan,
                        "sd": sd,
                        "missing": len(part) - len(known),
                    }
                )
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        return self.frame().to_string(index=False, max_rows=40, float_format=lambda value: f"{value:.4g}")

    def _repr_html_(self) -> str:
        return Table.from_frame(self.frame(), "Characteristics of learning samples and of their data sets").html()


@check_call
def resampling_effect(
    datasets: Any,
    resampling: Resampling | str | Sequence[Any] | Mapping[str, Any],
    *,
    characteristics: Chosen = "i2r.fcc",
    seed: int = 0,
) -> ResamplingEffect:
    """Compare the learning samples of resampling schemes with the data sets they are drawn from.

    A sample with copies, as a bootstrap draws it, can have quite different characteristics from its data set; what
    algorithms learn from it may be that difference (Eugster 2011, figure 7.1; Strobl et al. 2007).

    Parameters
    ----------
    datasets : name, Dataset, Generator, mapping, or a list of these
        As in `podium.Experiment`. A generator is drawn once.
    resampling : scheme, sequence of schemes, or mapping from names to schemes
        As in `podium.Experiment`; a mapping gives them names for tables and figures.
    characteristics : str, Characteristic, mapping, or a sequence of these
        Which characteristics; see `podium.characterize`.
    seed : int, default 0
        Seed for the samples.

    References
    ----------
    C. Strobl, A.-L. Boulesteix, A. Zeileis, T. Hothorn (2007). Bias in random forest variable importance measures. BMC
    Bioinformatics 8, 25.

    Examples
    --------
    >>> import podium
    >>> schemes = {"bootstrap": podium.Bootstrap(replications=20), "2/3": podium.Subsampling(replications=20)}
    >>> effect = podium.design.resampling_effect("sonar", schemes)
    >>> effect.frame().round(2)[["scheme", "whole", "mean", "bias"]].to_numpy().tolist()
    [['bootstrap', 0.79, 0.86, 0.07], ['2/3', 0.79, 0.85, 0.06]]
    """
    check_seed(seed)
    chosen = chosen_characteristics(characteristics)
    schemes = _schemes(resampling)
    samples, whole = [], None
    for name, scheme in schemes.items():
        experiment = sampling_experiment({"datasets": datasets, "resampling": scheme, "seed": seed})
        table = characterize_data(experiment, characteristics=chosen, seed=seed)
        samples.append(pd.concat({name: table}, names=["scheme"]).reorder_levels(["dataset", "scheme", "replication"]))
        if whole is None:
            data = [experiment.dataset(problem.name) for problem in experiment.datasets]
            whole = characterize_data(data, characteristics=chosen, seed=seed)
    assert isinstance(whole, pd.DataFrame)  # there is a scheme
    joined = pd.concat(samples)
    place = {dataset: i for i, dataset in enumerate(whole.index)}
    order = np.argsort(joined.index.get_level_values("dataset").map(place).to_numpy(), kind="stable")
    return ResamplingEffect(samples=joined.iloc[order], whole=whole)


def _schemes(given: Any) -> dict[str, Resampling]:
    """Read resampling schemes, with names."""
    if isinstance(given, Mapping) and all(isinstance(one, Resampling) for one in given.values()):
        schemes = {str(name): one for name, one in given.items()}
    else:
        several = isinstance(given, list | tuple)
        parts = [as_resampling(one) for one in (as_list(given, "resampling") if several else [given])]
        schemes = {}
        for one in parts:
            name = next(iter(one.spec)) if one.spec else one.describe()
            if name in schemes:
                raise InputError(f"`resampling` has {name!r} twice. Give names: {{'first': ..., 'second': ...}}.")
            schemes[name] = one
    if not schemes:
        raise InputError(f"`resampling` must be one scheme or several; got {describe(given)}.")
    return schemes
