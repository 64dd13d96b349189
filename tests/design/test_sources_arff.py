"""ARFF files: the odd ones too."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.design.dataset import Dataset
from podium.design.sources.arff import ArffTable, parse_arff
from podium.design.sources.spec import dataset_from_spec
from podium.errors import AmbiguousInputError, InputError

ODD = """% A file with most of what the format allows
@RELATION 'odd one'

@attribute 'petal width' REAL
@Attribute "it's \\"quoted\\"" {'a b', "c,d", e, '?', 'back\\\\slash', 'per%cent'}
@ATTRIBUTE plain{yes , no}
@attribute\tnote\tstring
@attribute count INTEGER
@attribute class {x,y}

@DATA
1.5, 'a b', yes, 'it\\'s', 1, x
% a comment between rows
?,?,?,?,?,y

2e-3,"c,d",no,"say \\"so\\"",-2,x
 4 , e , yes , ? , 3 , y
5,'?',no,plain text,4,x
6,'back\\\\slash',no,'',5,x
7,'per%cent',no,'  spaces  ',6,y
"""


def table(text: str) -> ArffTable:
    return parse_arff(text, "odd.arff")


def test_an_odd_file() -> None:
    odd = table(ODD)
    assert odd.relation == "odd one"
    quoted = 'it\'s "quoted"'
    assert [(a.name, a.kind) for a in odd.attributes] == [
        ("petal width", "numeric"),
        (quoted, "nominal"),
        ("plain", "nominal"),
        ("note", "string"),
        ("count", "numeric"),
        ("class", "nominal"),
    ]
    frame = odd.frame
    np.testing.assert_array_equal(frame["petal width"], [1.5, np.nan, 0.002, 4, 5, 6, 7])
    assert list(frame[quoted].cat.categories) == ["a b", "c,d", "e", "?", "back\\slash", "per%cent"]
    assert frame[quoted].astype(object).where(frame[quoted].notna(), None).to_list() == [
        "a b", None, "c,d", "e", "?", "back\\slash", "per%cent"
    ]  # fmt: skip
    assert frame["note"].to_list() == ["it's", None, 'say "so"', None, "plain text", "", "  spaces  "]
    assert frame["class"].to_list() == ["x", "y", "x", "y", "x", "x", "y"]


def test_a_data_set_from_an_arff_file(tmp_path: Path) -> None:
    (tmp_path / "odd.arff").write_text(ODD, encoding="utf-8")
    data = Dataset.from_file(tmp_path / "odd.arff", drop=["note"])
    assert (data.name, data.task, data.classes) == ("odd", "classification", ("x", "y"))
    assert data.origin == (
        "odd.arff; response 'class', the last attribute; classification, because the response 'class' holds categories"
    )
    assert (data.numeric, data.nominal) == (("petal width", "count"), ('it\'s "quoted"', "plain"))
    assert data.incomplete == 1
    assert dataset_from_spec(data.spec).fingerprint == data.fingerprint


def test_the_response_may_be_another_attribute(tmp_path: Path) -> None:
    (tmp_path / "odd.arff").write_text("@relation r\n@attribute y real\n@attribute x real\n@data\n1.5,1\n2.5,2\n")
    assert Dataset.from_file(tmp_path / "odd.arff", target="y").numeric == ("x",)
    assert Dataset.from_file(tmp_path / "odd.arff", task="unsupervised").numeric == ("y", "x")


def test_compressed_and_in_another_encoding(tmp_path: Path) -> None:
    text = "@relation r\n@attribute ort {München,Köln}\n@attribute c {a,b}\n@data\nMünchen,a\nKöln,b\n"
    (tmp_path / "u.arff.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "l.arff").write_bytes(text.encode("latin-1"))
    (tmp_path / "b.arff").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    prints = {Dataset.from_file(tmp_path / name).fingerprint for name in ("u.arff.gz", "l.arff", "b.arff")}
    assert len(prints) == 1
    assert Dataset.from_file(tmp_path / "u.arff.gz").name == "u"


def test_other_line_separators_of_unicode_are_part_of_a_value() -> None:
    text = "@relation r\n@attribute s string\n@attribute c {k,l}\n@data\n'a\u2028b\x0cc',k\n"
    assert table(text).frame["s"].to_list() == ["a\u2028b\x0cc"]


def test_rows_may_be_separated_by_tabs() -> None:
    rows = "@relation r\n@attribute a real\n@attribute b {'u v',w}\n@data\n1\t'u v'\n2\tw\n"
    assert table(rows).frame["b"].to_list() == ["u v", "w"]


def test_a_declared_missing_value_is_not_a_level() -> None:
    frame = table("@relation r\n@attribute a {?, u, '?', v}\n@attribute c {k,l}\n@data\n?,k\n'?',l\n").frame
    assert list(frame["a"].cat.categories) == ["u", "?", "v"]
    assert frame["a"].isna().to_list() == [True, False]


def test_declared_levels_that_do_not_occur_stay() -> None:
    text = "@relation r\n@attribute a {red,green,blue}\n@attribute c {k,l}\n@data\nred,k\nblue,l\n"
    assert list(table(text).frame["a"].cat.categories) == ["red", "green", "blue"]


def test_dates_are_refused_unless_an_argument_says_what_to_do(tmp_path: Path) -> None:
    head = "@relation r\n@attribute t date 'yyyy-MM-dd'\n@attribute x real\n@attribute c {a,b}\n"
    text = head + "@data\n2020-01-01,1,a\n?,2,b\n"
    (tmp_path / "d.arff").write_text(text)
    with pytest.raises(AmbiguousInputError, match="holds dates, which are neither numeric nor nominal"):
        Dataset.from_file(tmp_path / "d.arff")
    assert Dataset.from_file(tmp_path / "d.arff", drop=["t"]).numeric == ("x",)
    assert Dataset.from_file(tmp_path / "d.arff", nominal=["t"]).nominal == ("t",)


HEAD = "@relation r\n@attribute a real\n@attribute c {k,l}\n@data\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a,b\n1,2\n", 1),
        ("@relation r\n@data\n1\n", 2),
        ("@attribute a real\n@attribute a real\n", 2),
        ("@attribute a {x,y,x}\n", 1),
        ("@attribute a complex\n", 1),
        ("@attribute bag relational\n", 1),
        (HEAD + "{0 1.5, 1 l}\n", 5),  # sparse rows
        (HEAD + "\n% so\n1,k\n2\n", 8),
        (HEAD + "1,k,{5}\n", 5),  # weights
        (HEAD + "1,k\n\none,k\n", 7),
        (HEAD + "1_0,k\n", 5),
    ],
)
def test_broken_files_are_refused_with_the_line(text: str, line: int) -> None:
    with pytest.raises(InputError, match=rf"^odd\.arff, line {line}: "):
        table(text)
    with pytest.raises(InputError, match=r"^odd\.arff has no line @data"):
        table("")


# Written by the rules of the format, read back


def quoted(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


words = st.text(st.characters(exclude_categories=["C"]).filter(lambda c: c.isprintable()), max_size=6)
cells = st.tuples(st.none() | st.floats(allow_nan=False, allow_infinity=False), st.none() | words)


@given(st.lists(cells, min_size=1, max_size=8), words.filter(bool))
def test_what_is_written_is_read(rows: list[tuple[Any, Any]], name: str) -> None:
    levels = sorted({word for _, word in rows if word is not None})
    lines = [
        f"@relation {quoted(name)}",
        f"@attribute {quoted('n' + name)} numeric",
        f"@attribute word {{{', '.join(map(quoted, levels))}}}",
        "@attribute text string",
        "@data",
    ]
    for number, word in rows:
        text = "?" if word is None else quoted(word)
        lines.append(f"{'?' if number is None else repr(number)}, {text}, {text}")
    frame = table("\n".join(lines)).frame
    expected = [None if number is None else float(number) for number, _ in rows]
    assert [None if pd.isna(v) else v for v in frame["n" + name]] == expected
    for column in ("word", "text"):
        assert [None if pd.isna(v) else v for v in frame[column]] == [word for _, word in rows]


def test_the_reader_agrees_with_scipy_where_both_can_read(tmp_path: Path) -> None:
    from scipy.io import arff

    limit = csv.field_size_limit()  # scipy raises it for the whole process
    rng = np.random.default_rng(0)
    rows = "\n".join(f"{x:.17g},{'uvw'[k]}" for x, k in zip(rng.normal(size=300), rng.integers(0, 3, 300), strict=True))
    (tmp_path / "both.arff").write_text(f"@relation r\n@attribute x real\n@attribute k {{u,v,w}}\n@data\n{rows}\n")
    theirs, _ = arff.loadarff(tmp_path / "both.arff")
    csv.field_size_limit(limit)
    ours = table((tmp_path / "both.arff").read_text()).frame
    np.testing.assert_array_equal(ours["x"], theirs["x"])
    assert ours["k"].to_list() == [level.decode() for level in theirs["k"]]
