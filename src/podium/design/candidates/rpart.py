"""rpart: classification and regression trees (CART), pruned by the 1-SE rule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import (
    Candidate,
    Classifier,
    Codes,
    Mask,
    Regressor,
    folds,
    one_hot,
    parameter,
    splits,
)
from podium.design.candidates.tree import (
    Nodes,
    Tree,
    between,
    collapse_points,
    complexities,
    flat,
    one_standard_error,
    predictions,
    shares,
)
from podium.design.encoding import Encoder, Nominal


class Grown(Candidate):
    """Grows trees on attributes whose levels are sorted by the response; missing values go where they fit best."""

    nominal: ClassVar[Nominal] = "ordered"
    impute: ClassVar[bool] = False
    tree: Tree

    def leaves_of(self, X: pd.DataFrame, encoder: Encoder, tree: Tree) -> Nodes:
        """Return the leaf of each observation."""
        matrix = encoder.transform(X)
        return tree.apply(matrix.astype(np.float32).astype(float))  # thresholds are between float32 numbers


@dataclass(kw_only=True, eq=False)
class CostComplexityTree(Grown, ABC):
    """A tree pruned by cost-complexity, as far as the 1-SE rule of cross-validation allows.

    Parameters
    ----------
    min_split : int
        A node with fewer observations is not split.
    min_leaf : int
        Smallest leaf.
    folds : int
        Folds of the cross-validation for the 1-SE rule.
    """

    min_split: int = parameter(20, whole=True, minimum=1)
    min_leaf: int = parameter(7, whole=True, minimum=1)
    folds: int = parameter(10, whole=True, minimum=2)

    def grow(self, X: pd.DataFrame, response: FloatArray) -> tuple[Encoder, Tree]:
        """Grow a full tree."""
        encoder = self.new_encoder()
        matrix = encoder.fit_transform(X, response)
        settings = {
            "min_samples_split": max(2, self.min_split),
            "min_samples_leaf": self.min_leaf,
            "random_state": self.random_state("ties"),
        }
        return encoder, flat(self.grower(settings).fit(matrix, self.target(response)))

    def prune(self, X: pd.DataFrame, response: FloatArray, codes: Codes | None) -> None:
        """Grow the tree, and prune it as the cross-validated loss demands."""
        self.encoder, full = self.grow(X, response)
        point = collapse_points(full, self.risks(full))
        alphas = complexities(point)
        fold = folds(len(X), self.folds, self.rng("folds"), codes=codes, rows=self.rows)
        losses = np.zeros((len(alphas), len(X)))
        for learn, held in splits(fold):
            losses[:, held] = self._held_out(X, response, learn, held, between(alphas))
        alpha = alphas[one_standard_error(losses)]
        self.tree = full.pruned(point <= alpha)
        self.tuned = {"alpha": float(alpha), "leaves": self.tree.leaves}

    def _held_out(
        self, X: pd.DataFrame, response: FloatArray, learn: Mask, held: Mask, alphas: FloatArray
    ) -> FloatArray:
        encoder, tree = self.grow(X[learn], response[learn])
        point = collapse_points(tree, self.risks(tree))
        nodes = predictions(tree, point, alphas, self.leaves_of(X[held], encoder, tree))
        return self.loss(tree, nodes, response[held])

    @abstractmethod
    def grower(self, settings: dict[str, Any]) -> Any:
        """Return an unfitted tree of scikit-learn."""

    @abstractmethod
    def target(self, response: FloatArray) -> Any:
        """Return the response in scikit-learn's form."""

    @abstractmethod
    def risks(self, tree: Tree) -> FloatArray:
        """Return the risk of each node as a leaf."""

    @abstractmethod
    def loss(self, tree: Tree, nodes: Nodes, response: FloatArray) -> FloatArray:
        """Return the loss of each observation if these nodes predict it."""


@dataclass(kw_only=True, eq=False)
class ClassificationTree(CostComplexityTree, Classifier):
    """Splits by the Gini index, prunes by misclassification."""

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Grow and prune."""
        self.prune(X, one_hot(codes, len(self.classes_)), codes)

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the class shares of each observation's leaf."""
        return shares(self.tree)[self.leaves_of(X, self.encoder, self.tree)]

    def grower(self, settings: dict[str, Any]) -> Any:
        """Return an unfitted classification tree."""
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(**settings)

    def target(self, response: FloatArray) -> Codes:
        """Return the classes."""
        classes: Codes = response.argmax(axis=1)
        return classes

    def risks(self, tree: Tree) -> FloatArray:
        """Return the share of misclassified observations."""
        wrong: FloatArray = (tree.size - tree.value.max(axis=1)) / tree.size[0]
        return wrong

    def loss(self, tree: Tree, nodes: Nodes, response: FloatArray) -> FloatArray:
        """Return 1 where the class is wrong."""
        wrong: FloatArray = (tree.value.argmax(axis=1)[nodes] != response.argmax(axis=1)).astype(float)
        return wrong


@dataclass(kw_only=True, eq=False)
class RegressionTree(CostComplexityTree, Regressor):
    """Splits and prunes by squared error."""

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Grow and prune."""
        self.prune(X, y[:, None], None)

    def respond(self, X: pd.DataFrame) -> FloatArray:
        """Return the mean response of each observation's leaf."""
        means: FloatArray = self.tree.value[self.leaves_of(X, self.encoder, self.tree), 0]
        return means

    def grower(self, settings: dict[str, Any]) -> Any:
        """Return an unfitted regression tree."""
        from sklearn.tree import DecisionTreeRegressor

        return DecisionTreeRegressor(**settings)

    def target(self, response: FloatArray) -> FloatArray:
        """Return the numbers."""
        return response[:, 0]

    def risks(self, tree: Tree) -> FloatArray:
        """Return the squared error."""
        squares: FloatArray = tree.impurity * tree.size / tree.size[0]
        return squares

    def loss(self, tree: Tree, nodes: Nodes, response: FloatArray) -> FloatArray:
        """Return the squared errors."""
        squares: FloatArray = (tree.value[nodes, 0] - response[:, 0]) ** 2
        return squares


RPART = NamedCandidate(
    "rpart",
    "classification or regression tree",
    {"classification": ClassificationTree, "regression": RegressionTree},
    rule="grown fully and pruned by cost-complexity, by the 1-SE rule of 10-fold cross-validation",
)
