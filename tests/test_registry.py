"""The registry of objects looked up by name: what a folder defines is found, and nothing is imported before."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from podium.errors import LabelError
from podium.registry import Registry


@dataclass(frozen=True)
class Tree:
    name: str


@pytest.fixture
def forest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry[Tree]:
    """A folder with one module named after its tree, one with a family of trees, and one without any."""
    monkeypatch.setitem(sys.modules, "tree_class", sys.modules[__name__])
    folder = tmp_path / "some_forest"
    folder.mkdir()
    modules = {
        "__init__": "",
        "oak": "from tree_class import Tree\nOAK = Tree('oak')\n",
        "conifers": "from tree_class import Tree\nSPRUCE = Tree('spruce')\nPINE = Tree('pine')\n",
        "soil": "DEPTH = 3\n",
    }
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "some_forest"]:
        monkeypatch.delitem(sys.modules, name)
    return Registry("some_forest", Tree)


def loaded() -> set[str]:
    return {name.partition(".")[2] for name in sys.modules if name.startswith("some_forest.")}


def test_the_modules_of_a_folder_define_what_is_known(forest: Registry[Tree]) -> None:
    assert list(forest) == ["spruce", "pine", "oak"]  # by file, then in the order of the definitions
    assert len(forest) == 3
    assert forest["pine"] == Tree("pine")
    assert forest.get("elm") is None
    assert "" not in forest
    with pytest.raises(LabelError, match=r"^some_forest does not define 'elm'\.$"):
        forest["elm"]


def test_a_name_is_looked_for_in_the_module_of_that_name(forest: Registry[Tree]) -> None:
    assert loaded() == set()
    assert forest["oak"] == Tree("oak")
    assert loaded() == {"oak"}
    assert forest["spruce"] == Tree("spruce")
    assert loaded() == {"oak", "conifers", "soil"}


def test_two_modules_cannot_define_the_same_name(forest: Registry[Tree], tmp_path: Path) -> None:
    (tmp_path / "some_forest" / "park.py").write_text("from tree_class import Tree\nOAK = Tree('oak')\n")
    with pytest.raises(LabelError, match=r"^some_forest\.park defines 'oak', which another module defines too\.$"):
        list(forest)
