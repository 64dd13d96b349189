"""`bradley_terry_tree`: groups of subjects with different preferences, by recursive partitioning.

C. Strobl, F. Wickelmaier, A. Zeileis (2011). Accounting for individual differences in Bradley–Terry models by means of
recursive partitioning. Journal of Educational and Behavioral Statistics 36, 135–153. — A. Zeileis, T. Hothorn,
K. Hornik (2008). Model-based recursive partitioning. Journal of Computational and Graphical Statistics 17, 492–514.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from podium.analysis.blocks import Unit
from podium.analysis.trees.bradley_terry import worth_order
from podium.analysis.trees.covariates import (
    Counts,
    Covariate,
    CovariateSplit,
    aligned,
    encode_covariates,
    reduce_covariates,
)
from podium.analysis.trees.fluctuation_process import Instability, instability_of
from podium.analysis.trees.instability import StabilityTest, decorrelated_scores, test_covariate
from podium.analysis.trees.likelihood import Batch, PairModel, design_matrix, fit_batch
from podium.analysis.trees.paired_comparisons import PairedComparisons
from podium.analysis.trees.separation import refuse_strangers
from podium.analysis.trees.validation import TreeValidation, cross_validated
from podium.arrays import BoolArray, FloatArray, IntArray
from podium.checks import (
    check_call,
    check_choice,
    check_count,
    check_probability,
    expect,
    is_whole,
    random_generator,
    record,
    shown,
)
from podium.errors import InputError, LabelError, join_names, plural

Pruning: TypeAlias = Literal["none", "aic", "bic"]
MissingCovariates: TypeAlias = Literal["category", "drop-block", "raise"]

MIN_DATASETS = 5  # in a node, by default
FEW = 200  # subjects up to which tests of data sets are by permutation
CHUNK = 4000  # candidate splits fitted at once, of few pairs
SAME = 1e-9  # relative difference of criteria that counts as a tie


@record(eq=False, kw_only=True)
class Node:
    """A node of a tree.

    Attributes
    ----------
    node, parent : int
        Numbers in depth-first order, left first; the root is 1, and its parent 0.
    n : int
        Number of subjects: replications, or data sets.
    worth : Series
        Worths of the objects, which sum to 1; NaN for objects that were not compared with the others in this node.
    nu : float
        Tie parameter.
    coefficients : Series
        Log worths relative to the baseline, and ``(undecided)``: the log of ν.
    se : Series
        Their standard errors; NaN where an estimate is not finite.
    neg_loglik : float
    tests : DataFrame
        One row per covariate: ``statistic``, ``pvalue``, ``adjusted``; missing where it cannot be tested.
    split : CovariateSplit or None
        None for a leaf.
    children : tuple of int
        Left and right; empty for a leaf.
    rows : ndarray of int
        The subjects.
    depth : int
    """

    node: int
    parent: int
    n: int
    worth: pd.Series
    nu: float
    coefficients: pd.Series
    se: pd.Series
    neg_loglik: float
    tests: pd.DataFrame
    split: CovariateSplit | None
    children: tuple[int, ...]
    rows: IntArray
    depth: int

    @property
    def best(self) -> str:
        """The object with the highest worth."""
        return str(self.worth.idxmax())


@record(eq=False, repr=False, kw_only=True)
class BradleyTerryTree:
    """A tree of Bradley–Terry models.

    Attributes
    ----------
    nodes : tuple of Node
        In depth-first order.
    objects : tuple of str
    covariates : tuple of Covariate
        What may split.
    unit : {"replication", "dataset"}
        What a subject of the tests is.
    min_size : int
    max_depth : int or None
        Settings; None for no limit of the depth.
    alpha : float
    permutations : int
        Of the tests; 0 where they are asymptotic.
    classical_warning : bool
        Whether replications of the same data sets were tested as if they were independent.
    subjects : tuple
        Their labels, where known; `Node.rows` are positions among them.
    left_out : int
        Number of rows that were left out because a covariate has no value.
    unknown : tuple of str
        The covariates that have no value there.
    prune, missing : str
        Settings.
    pairs : PairedComparisons
        What the tree was grown from.
    table : DataFrame
        The covariates that it was grown from, in the order of the comparisons.
    counts : sparse array
        Outcomes of each subject of the tests (rows), by pair and outcome.
    design : ndarray
        Derivatives of the log probabilities: pairs × outcomes × parameters.
    """

    _made_from: ClassVar = ((object, "Create one with podium.bradley_terry_tree(pairs, covariates)."),)

    nodes: tuple[Node, ...]
    objects: tuple[str, ...]
    covariates: tuple[Covariate, ...]
    unit: Unit
    min_size: int
    max_depth: int | None
    alpha: float
    permutations: int
    classical_warning: bool
    subjects: tuple[Any, ...] = ()
    left_out: int = 0
    unknown: tuple[str, ...] = ()
    prune: Pruning = "none"
    missing: MissingCovariates = "category"
    pairs: PairedComparisons
    table: pd.DataFrame
    counts: Any
    design: FloatArray

    @property
    def leaves(self) -> tuple[Node, ...]:
        """The leaves, from left to right."""
        return tuple(node for node in self.nodes if node.split is None)

    @property
    def loglik(self) -> float:
        """Log likelihood of the leaves together."""
        return -sum(leaf.neg_loglik for leaf in self.leaves)

    def __getitem__(self, node: int) -> Node:
        for one in self.nodes if is_whole(node) else ():
            if one.node == node:
                return one
        raise LabelError(f"There is no node {shown(node)}; the nodes are 1 to {len(self.nodes)}.")

    def frame(self) -> pd.DataFrame:
        """One row per node.

        Returns
        -------
        DataFrame
            ``node``, ``parent``, ``n``, ``variable``, ``split`` (the threshold, or the levels that go left),
            ``statistic``, ``pvalue``, ``adjusted`` of the splitting variable (in a leaf: of the covariate with the
            smallest p-value), and ``best``, the object with the highest worth.
        """
        rows = []
        for one in self.nodes:
            tested = one.tests["pvalue"].dropna()
            name = one.split.variable if one.split else (str(tested.idxmin()) if len(tested) else None)
            test = (
                one.tests.loc[name] if name else pd.Series({"statistic": np.nan, "pvalue": np.nan, "adjusted": np.nan})
            )
            shown: object = None
            if one.split is not None:
                shown = one.split.threshold if one.split.threshold is not None else ", ".join(one.split.left)
            rows.append(
                {
                    "node": one.node,
                    "parent": one.parent,
                    "n": one.n,
                    "variable": one.split.variable if one.split else None,
                    "split": shown,
                    "statistic": test["statistic"],
                    "pvalue": test["pvalue"],
                    "adjusted": test["adjusted"],
                    "best": one.best,
                }
            )
        return pd.DataFrame(rows)

    def worths(self) -> pd.DataFrame:
        """Worths of the objects (columns) in the leaves (rows)."""
        return pd.DataFrame({leaf.node: leaf.worth for leaf in self.leaves}).T.rename_axis("node")

    def node_of(self, covariates: pd.DataFrame) -> IntArray:
        """Number of the leaf of each row of covariates.

        A row without a value of the splitting variable, or with a level that the node has not seen, goes to the larger
        child.
        """
        expect(covariates, pd.DataFrame, "covariates")
        names = [str(name) for name in covariates.columns]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise LabelError(f"`covariates` must have different names; {join_names(twice)} occurs twice.")
        columns = {name: covariates.iloc[:, i] for i, name in enumerate(names)}
        used = {node.split.variable for node in self.nodes if node.split}
        lacking = sorted(used - set(columns))
        if lacking:
            raise LabelError(
                f"`covariates` must have the columns that the tree splits by; {join_names(lacking)} is missing."
            )
        place = np.ones(len(covariates), np.intp)
        kinds = {one.name: one for one in self.covariates}
        for node in self.nodes:  # parents come before their children
            if node.split is None:
                continue
            here = np.flatnonzero(place == node.node)
            column = columns[node.split.variable].iloc[here]
            left, unknown = kinds[node.split.variable].goes_left(column, node.split)
            sizes = [self[child].n for child in node.children]
            left = np.where(unknown, sizes[0] >= sizes[1], left)
            place[here] = np.where(left, *node.children)
        return place

    def predict(self, covariates: pd.DataFrame | Mapping[str, Any] | pd.Series) -> pd.DataFrame:
        """Predict for new subjects: their leaf, the recommended object, and the worths of all objects.

        Parameters
        ----------
        covariates : DataFrame, or a mapping for one subject
        """
        if isinstance(covariates, Mapping | pd.Series):
            covariates = pd.DataFrame([dict(covariates)])
        leaf = self.node_of(covariates)
        worth = self.worths().loc[leaf].reset_index(drop=True)
        worth.columns = [f"worth of {name}" for name in worth.columns]
        table = pd.DataFrame({"node": leaf, "best": [self[int(node)].best for node in leaf]})
        return pd.concat([table, worth], axis=1).set_index(covariates.index)

    def instability(self, variable: str | None = None, node: int = 1) -> Instability:
        """Show how the comparisons of a node depart from its model along a variable: the process behind a test.

        Parameters
        ----------
        variable : str, optional
            A covariate; by default the one that splits the node, or else the one with the smallest p-value.
        node : int, default 1
            Number of a node.
        """
        one = self[node]
        known = [covariate.name for covariate in self.covariates]
        if variable is None:
            tested = one.tests["pvalue"].dropna()
            if one.split is None and not len(tested):
                raise InputError(f"Node {node} was not tested: it is too small, or nothing varies in it.")
            variable = one.split.variable if one.split else str(tested.idxmin())
        check_choice(variable, known, "variable")
        fit = fit_batch(self.design, self.counts[one.rows].sum(axis=0).reshape(-1, *self.design.shape[:2]), close=1e-24)
        return instability_of(
            objects=self.objects,
            pairs=self.pairs.unordered(),
            counts=self.counts[one.rows],
            p=fit.p[0],
            covariate=self.covariates[known.index(variable)].take(one.rows),
            split=one.split if one.split and one.split.variable == variable else None,
            statistic=float(one.tests["statistic"].loc[variable]),
            adjusted=float(one.tests["adjusted"].loc[variable]),
            node=node,
        )

    def validate(self, *, folds: int = 10, seed: int = 0) -> TreeValidation:
        """Cross-validate over whole data sets, to see whether the tree advises better than the overall winner.

        In every fold, a tree is grown from the other data sets with the settings of this one. It recommends an object
        for each data set that was left out; the overall winner is that of its root, a Bradley–Terry model of the same
        comparisons. Where the data sets of comparisons are not known, subjects are left out.

        Parameters
        ----------
        folds : int, default 10
            Number of folds; at most one for each data set.
        seed : int, default 0
            Seed for the folds.
        """
        check_count(folds, "folds", least=2)

        def grow(rows: IntArray) -> BradleyTerryTree:
            return bradley_terry_tree(
                self.pairs.take(rows),
                self.table.iloc[rows].reset_index(drop=True),
                alpha=self.alpha,
                min_size=self.min_size,
                max_depth=self.max_depth,
                unit=self.unit,
                prune=self.prune,
                permutations=self.permutations or None,
                missing=self.missing,
            )

        return cross_validated(grow, self.pairs, self.table, folds, random_generator(seed))

    def to_dot(self) -> str:
        """Write the tree in the DOT language of Graphviz."""
        lines = ["digraph tree {", "  node [shape=box, fontname=sans];"]
        for one in self.nodes:
            if one.split is None:
                known = _best_first(one.worth)
                worth = "\\n".join(f"{_dot(name)} {value:.3f}" for name, value in known.items())
                lines.append(f'  n{one.node} [label="node {one.node}, n = {one.n}\\n{worth}"];')
            else:
                adjusted = one.tests["adjusted"].loc[one.split.variable]
                label = f"{_dot(one.split.variable)}\\np = {adjusted:.3g}, n = {one.n}"
                lines.append(f'  n{one.node} [shape=ellipse, label="{label}"];')
                for side, child in zip(_sides(one.split), one.children, strict=True):
                    lines.append(f'  n{one.node} -> n{child} [label="{_dot(side)}"];')
        return "\n".join([*lines, "}"])

    def __str__(self) -> str:
        whole = self.unit == "dataset" or (self.pairs.dataset and not self.classical_warning)
        subject = "data set" if whole else "replication" if self.pairs.dataset else "subject"
        tests = f"by {self.permutations:,} permutations" if self.permutations else "asymptotic"
        lines = [
            f"Bradley–Terry tree of {len(self.objects)} objects, {plural(self.nodes[0].n, subject)}; tests {tests}"
        ]
        if self.classical_warning:
            lines.append(
                "Replications of one data set are not independent, and most characteristics are constant within it: "
                "the tests treat them as independent and find splits that other data sets need not show. See "
                "unit='dataset'."
            )
        if self.left_out:
            lines.append(
                f"{plural(self.left_out, 'row')} left out, where {join_names(self.unknown, quote=False)} has no value."
            )
        return "\n".join([*lines, *self._lines(1, ""), *self._why_no_split()])

    def _why_no_split(self) -> list[str]:
        root = self.nodes[0]
        if root.split is not None:
            return []
        tested = root.tests["adjusted"].dropna()
        if len(tested):
            name = str(tested.idxmin())
            return [f"No split: the smallest adjusted p-value is {tested[name]:.3g}, of {name}."]
        if root.n < 2 * self.min_size:
            return [f"Nothing was tested: a split needs {2 * self.min_size} subjects or more, twice `min_size`."]
        return [] if self.max_depth == 0 else ["Nothing was tested: no covariate varies, or every outcome is certain."]

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def _lines(self, number: int, indent: str) -> Iterator[str]:
        one = self[number]
        if one.split is None:
            order = _best_first(one.worth)
            shown = ", ".join(f"{name} {value:.3f}" for name, value in order.items())
            others = [str(name) for name in one.worth.index[one.worth.isna()]]
            never = f"; not compared with these: {join_names(others, quote=False, most=6)}" if others else ""
            yield f"{indent}[{one.node}] leaf, n = {one.n}: {shown}{never}"
            return
        adjusted = one.tests["adjusted"].loc[one.split.variable]
        yield f"{indent}[{one.node}] {one.split.variable}, n = {one.n}, p = {adjusted:.3g}"
        for side, child in zip(_sides(one.split), one.children, strict=True):
            yield f"{indent}  {side}"
            yield from self._lines(child, indent + "    ")

    __repr__ = __str__


def _sides(split: CovariateSplit) -> tuple[str, str]:
    if split.threshold is not None:
        return f"<= {split.threshold:g}", f"> {split.threshold:g}"
    return ", ".join(split.left), ", ".join(split.right)


def _best_first(worths: pd.Series[float]) -> pd.Series[float]:
    known = worths.dropna()
    return known.iloc[worth_order(np.log(known.to_numpy()), [str(name) for name in known.index])]


def _dot(text: object) -> str:
    return str(text).replace("\\", "\\\\").replace('"', '\\"')


@check_call
def bradley_terry_tree(
    pairs: PairedComparisons,
    covariates: pd.DataFrame,
    *,
    alpha: float = 0.05,
    min_size: int | None = None,
    max_depth: int | None = None,
    unit: Unit | None = None,
    baseline: str | None = None,
    prune: Pruning = "none",
    permutations: int | None = None,
    seed: int = 0,
    missing: MissingCovariates = "category",
) -> BradleyTerryTree:
    """Split subjects into groups with different preferences, by what is known about them.

    In every node a Bradley–Terry model is fitted, and each covariate is tested: do the parameters change along it? The
    covariate with the smallest p-value splits the node, where that maximises the likelihood, if the p-value adjusted
    for the number of covariates is at most `alpha`.

    Parameters
    ----------
    pairs : PairedComparisons
        One row per subject.
    covariates : DataFrame
        One row per subject: by label, (data set, replication) or data set, or in the same order. Numbers are split at a
        value, ordered categories between levels, text and other categories into two sets of levels.
    alpha : float, default 0.05
        Level of the tests.
    min_size : int, optional
        Smallest number of subjects in a node. By default 5 data sets, or ten times the number of parameters over that
        of pairs.
    max_depth : int, optional
        Largest number of splits above a leaf; no limit by default.
    unit : {"replication", "dataset"}, optional
        What a subject of the tests is. ``"replication"``: each row, the classical tree. ``"dataset"``: the rows of a
        data set are one subject, whose characteristics are averaged; with few of them the tests are by permutation.
        By default data sets where they repeat.
    baseline : str, optional
        The object whose log worth is 0; the last one by default. The tree does not depend on it.
    prune : {"none", "aic", "bic"}
        Afterwards remove splits that do not improve this criterion.
    permutations : int, optional
        Of the tests of up to 200 data sets; 10,000 by default.
    seed : int, default 0
        Seed for the permutations.
    missing : {"category", "drop-block", "raise"}
        What to do where covariates have no value: make "missing" a level of them, for which their numbers become
        quartiles (Eugster 2011, section 5.4); leave those subjects out, and say so; or refuse. Covariates without any
        value are not tested.

    Returns
    -------
    BradleyTerryTree

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> import podium
    >>> rng = np.random.default_rng(0)
    >>> size = rng.uniform(size=200)
    >>> lead = np.where(rng.uniform(size=200) < np.where(size < 0.5, 0.9, 0.1), 1, -1)
    >>> pairs = podium.PairedComparisons.from_frame(pd.DataFrame({"svm:lda": lead}))
    >>> tree = podium.bradley_terry_tree(pairs, pd.DataFrame({"size": size}), min_size=20)
    >>> [leaf.best for leaf in tree.leaves], tree.nodes[0].split.variable
    (['svm', 'lda'], 'size')
    """
    expect(pairs, PairedComparisons, "pairs")
    expect(covariates, pd.DataFrame, "covariates")
    check_probability(alpha, "alpha")
    check_choice(prune, get_args(Pruning), "prune")
    refuse_strangers(pairs)
    covariates = aligned(covariates, pairs)
    repeated = len(set(pairs.dataset)) < len(pairs.dataset)
    if unit is None:
        unit = "dataset" if repeated else "replication"
    check_choice(unit, get_args(Unit), "unit")
    if unit == "dataset" and not pairs.dataset:
        raise InputError("`unit='dataset'` needs the data set of each subject, which these comparisons do not contain.")
    check_choice(pairs.objects[-1] if baseline is None else baseline, pairs.objects, "baseline")
    kept = encode_covariates(covariates, pairs, missing)
    source, pairs = pairs, pairs.unordered()
    table, n, place = kept.frame, len(kept.rows), np.full(pairs.rows, -1)
    place[kept.rows] = np.arange(n)
    names: tuple[Any, ...] = tuple(pairs.subjects[i] for i in kept.rows) if pairs.subjects else ()
    if unit == "dataset":
        groups, found = pd.factorize(np.array(pairs.dataset, object)[kept.rows])
        n, names, place[kept.rows] = len(found), tuple(found), groups
        table = reduce_covariates(table, groups, n)
    model = PairModel(pairs.first, pairs.second, len(pairs.objects), pairs.ties)
    k = len(pairs.objects)
    at = k - 1 if baseline is None else pairs.objects.index(baseline)
    D = design_matrix(model, at)
    here = place[pairs.row] >= 0
    if not here.any():
        raise InputError("No subject with known covariates has a comparison.")
    cell = pairs.pair[here] * D.shape[1] + pairs.outcome[here]
    shape = (n, len(pairs.first) * D.shape[1])
    counts = csr_array((pairs.weight[here], (place[pairs.row[here]], cell)), shape=shape)  # equal cells are added up
    if min_size is None:
        min_size = MIN_DATASETS if unit == "dataset" else int(np.ceil(10 * D.shape[2] / len(pairs.first)))
    check_count(min_size, "min_size")
    if max_depth is not None:
        check_count(max_depth, "max_depth", least=0)
    few = unit == "dataset" and n <= FEW
    if permutations is not None and not few:
        raise InputError(f"`permutations` is for tests of up to {FEW} data sets; these tests are asymptotic.")
    drawn = 0
    if few:
        drawn = 10_000 if permutations is None else permutations
        check_count(drawn, "permutations")
    grower = _Grower(
        counts=counts,
        covariates=kept.covariates(table),
        first=pairs.first,
        second=pairs.second,
        D=D,
        objects=pairs.objects,
        baseline=at,
        alpha=alpha,
        min_size=min_size,
        max_depth=max_depth,
        block_ends=unit == "dataset",
        permutations=drawn,
        rng=random_generator(seed),
    )
    nodes = grower.grow()
    if prune != "none":
        nodes = _pruned(nodes, D.shape[2], prune)
    return BradleyTerryTree(
        nodes=nodes,
        objects=pairs.objects,
        covariates=grower.covariates,
        unit=unit,
        min_size=min_size,
        max_depth=max_depth,
        alpha=alpha,
        permutations=drawn,
        classical_warning=unit == "replication" and repeated,
        subjects=names,
        left_out=pairs.rows - len(kept.rows),
        unknown=kept.unknown,
        pairs=source,
        table=covariates,
        prune=prune,
        missing=missing,
        counts=counts,
        design=D,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class _Grower:
    """Grows a tree: the data, and the settings."""

    counts: Counts
    covariates: tuple[Covariate, ...]
    first: IntArray
    second: IntArray
    D: FloatArray
    objects: tuple[str, ...]
    baseline: int
    alpha: float
    min_size: int
    max_depth: int | None
    block_ends: bool
    permutations: int
    rng: np.random.Generator

    def grow(self) -> tuple[Node, ...]:
        nodes: list[Node] = []
        self._grow(np.arange(self.counts.shape[0]), 0, 0, nodes)
        return tuple(sorted(nodes, key=lambda one: one.node))

    def _grow(self, rows: IntArray, parent: int, depth: int, nodes: list[Node]) -> int:
        number = len(nodes) + 1
        nodes.append(None)  # type: ignore[arg-type]  # its place; the children come after it
        here = self.counts[rows]
        fit = fit_batch(self.D, self._tables(here.sum(axis=0)), close=1e-24)
        scores = self._scores(here, fit.p[0])
        tests = self._tests(rows, scores, float((here.data**2).sum()) / len(rows), depth)
        adjusted = _adjusted(tests)
        split, left = self._split(rows, here, tests, adjusted, fit.beta[0])
        children: tuple[int, ...] = ()
        if split is not None:
            one = self._grow(rows[left], number, depth + 1, nodes)
            two = self._grow(rows[~left], number, depth + 1, nodes)
            children = (one, two)
        table = pd.DataFrame(
            {
                "statistic": [one.statistic for one in tests] or np.nan,
                "pvalue": [one.pvalue for one in tests] or np.nan,
                "adjusted": adjusted if len(adjusted) else np.nan,
            },
            index=[one.name for one in self.covariates],
        )
        nodes[number - 1] = self._node(number, parent, rows, fit, table, split, children, depth)
        return number

    def _tables(self, counts: FloatArray) -> FloatArray:
        """Counts of cells as tables of pairs × outcomes."""
        return counts.reshape(-1, *self.D.shape[:2])

    def _scores(self, here: Counts, p: FloatArray) -> FloatArray:
        """Score of each subject: outcomes minus what is expected of them."""
        mean = np.einsum("qo,qop->qp", p, self.D)
        centred = self.D - mean[:, None, :]
        found: FloatArray = here @ centred.reshape(-1, self.D.shape[2])
        return found

    def _met(self, total: FloatArray) -> IntArray:
        """Number of the group of each object; objects of two groups were not compared, not even through others."""
        k, met = len(self.objects), total > 0
        graph = csr_array((np.ones(int(met.sum())), (self.first[met], self.second[met])), shape=(k, k))
        return connected_components(graph, directed=False)[1].astype(np.intp)

    def _tests(self, rows: IntArray, scores: FloatArray, size: float, depth: int) -> list[StabilityTest]:
        """Test every covariate."""
        limit = self.max_depth is not None and depth >= self.max_depth
        process = decorrelated_scores(scores, size)
        if len(rows) < 2 * self.min_size or limit or process.shape[1] == 0:
            return []
        seed = int(self.rng.integers(2**63))  # the same permutations for every covariate, whatever their order
        return [
            test_covariate(
                process,
                one.take(rows),
                self.min_size,
                self.block_ends,
                self.permutations,
                np.random.default_rng(seed),
            )
            for one in self.covariates
        ]

    def _split(
        self, rows: IntArray, here: Counts, tests: Sequence[StabilityTest], adjusted: FloatArray, beta: FloatArray
    ) -> tuple[CovariateSplit | None, BoolArray]:
        none = np.zeros(len(rows), bool)
        if not any(one.tested for one in tests):
            return None, none
        least = min(one.pvalue for one in tests if one.tested)
        # P-values underflow, and by permutation many are equal: the logarithms of those of the limit decide.
        logs = np.array(
            [
                one.log_pvalue if one.tested and (one.pvalue == least or not self.permutations) else np.inf
                for one in tests
            ]
        )
        chosen_at = int(np.argmax(logs <= logs.min() + SAME * max(abs(logs.min()), 1.0)))  # the first, up to rounding
        if not adjusted[chosen_at] <= self.alpha:
            return None, none
        covariate = self.covariates[chosen_at].take(rows)
        candidates = covariate.candidates(self.min_size)
        if not candidates:
            return None, none
        best, lowest = -1, np.inf
        total = here.sum(axis=0)
        chunk = max(CHUNK * 45 // max(here.shape[1], 45), 16)
        for start in range(0, len(candidates), chunk):
            part = candidates[start : start + chunk]
            left = covariate.counts_left(part, here)
            both = np.maximum(np.concatenate([left, total[None] - left]), 0.0)
            fitted = fit_batch(self.D, self._tables(both), beta)
            value = fitted.neg_loglik[: len(part)] + fitted.neg_loglik[len(part) :]
            first = int(np.argmax(value <= value.min() + SAME * abs(value.min())))
            if value[first] < lowest - SAME * abs(lowest if np.isfinite(lowest) else 0.0):
                best, lowest = start + first, float(value[first])
        chosen = candidates[best]
        return covariate.split(chosen), covariate.goes(chosen)

    def _node(
        self,
        number: int,
        parent: int,
        rows: IntArray,
        fit: Batch,
        tests: pd.DataFrame,
        split: CovariateSplit | None,
        children: tuple[int, ...],
        depth: int,
    ) -> Node:
        k = len(self.objects)
        beta, p = fit.beta[0].copy(), fit.p[0]
        total = self._tables(self.counts[rows].sum(axis=0))[0].sum(axis=1)
        mean = np.einsum("qo,qop->qp", p, self.D)
        second = np.einsum("q,qo,qop,qor->pr", total, p, self.D, self.D)
        information = second - np.einsum("q,qp,qr->pr", total, mean, mean)
        values = np.linalg.eigvalsh(information)
        regular = values[0] > 1e-7 * values[-1]
        errors = np.sqrt(np.diag(np.linalg.inv(information))) if regular else np.full(len(beta), np.nan)
        free = [name for i, name in enumerate(self.objects) if i != self.baseline]
        labels = [*free, *(["(undecided)"] if self.D.shape[1] == 3 else [])]
        t = np.insert(beta[: k - 1], self.baseline, 0.0)
        met = self._met(total)
        beta[: k - 1][np.delete(met != met[self.baseline], self.baseline)] = np.nan
        errors[np.isnan(beta)] = np.nan
        most = np.bincount(met).argmax()  # the largest group of objects that were compared
        worth = np.where(met == most, np.exp(t - t[met == most].max()), np.nan)
        return Node(
            node=number,
            parent=parent,
            n=len(rows),
            worth=pd.Series(worth / np.nansum(worth), index=list(self.objects)),
            nu=float(np.exp(beta[-1])) if self.D.shape[1] == 3 else 0.0,
            coefficients=pd.Series(beta, index=labels),
            se=pd.Series(errors, index=labels),
            neg_loglik=float(fit.neg_loglik[0]),
            tests=tests,
            split=split,
            children=children,
            rows=rows,
            depth=depth,
        )


def _adjusted(tests: Sequence[StabilityTest]) -> FloatArray:
    """P-values adjusted for the number of covariates that can be tested, by Bonferroni or, from 0.001 on, Šidák."""
    m = sum(one.tested for one in tests)
    p = np.array([one.pvalue for one in tests])
    return np.where(p <= 0.001, np.minimum(1.0, m * p), 1.0 - (1.0 - p) ** m)


def _pruned(nodes: Sequence[Node], parameters: int, criterion: Pruning) -> tuple[Node, ...]:
    """Remove splits, from the leaves up, whose subtree does not improve the criterion."""
    by_number = {one.node: one for one in nodes}
    price = 2.0 if criterion == "aic" else float(np.log(nodes[0].n))
    cut: set[int] = set()

    def value(number: int) -> tuple[float, int]:
        """-2 log likelihood, and leaves, of a subtree."""
        one = by_number[number]
        if not one.children:
            return 2 * one.neg_loglik, 1
        parts = [value(child) for child in one.children]
        below, leaves = sum(part for part, _ in parts), sum(count for _, count in parts)
        grown = below + price * (leaves * parameters + leaves - 1)  # each split is a parameter, too
        if 2 * one.neg_loglik + price * parameters <= grown:
            cut.add(number)
            return 2 * one.neg_loglik, 1
        return below, leaves

    value(1)
    kept: list[Node] = []

    def walk(number: int, parent: int) -> int:
        one = by_number[number]
        new = len(kept) + 1
        kept.append(one)
        leaf = number in cut or not one.children
        children = () if leaf else tuple(walk(child, new) for child in one.children)
        fields = {name: getattr(one, name) for name in one.__dataclass_fields__}
        kept[new - 1] = Node(
            **{**fields, "node": new, "parent": parent, "split": None if leaf else one.split, "children": children}
        )
        return new

    walk(1, 0)
    return tuple(kept)
