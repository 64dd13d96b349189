"""The fixture `reference`: skipped without the data, failed in CI, a path otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]


@pytest.fixture
def inner(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with the conftest of this one and a single test that needs a reference file."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("PODIUM_REFERENCE", str(pytester.path / "reference"))
    pytester.makeconftest((Path(__file__).parent / "conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile(
        """
        def test_needs_data(reference):
            assert reference("data/a.csv").read_text() == "1"
        """
    )
    return pytester


def test_the_file_is_found_when_the_folder_is_there(inner: pytest.Pytester) -> None:
    (inner.mkdir("reference") / "data").mkdir()
    (inner.path / "reference" / "data" / "a.csv").write_text("1")
    inner.runpytest().assert_outcomes(passed=1)


def test_without_the_folder_the_test_is_skipped_and_says_what_to_do(inner: pytest.Pytester) -> None:
    result = inner.runpytest("-rs")
    result.assert_outcomes(skipped=1)
    folder = inner.path / "reference"
    reason = f"no reference data at {folder}; set PODIUM_REFERENCE to the folder that holds data/a.csv"
    assert reason in " ".join(result.stdout.str().split())


def test_without_the_folder_the_test_fails_in_ci(inner: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    result = inner.runpytest()
    result.assert_outcomes(failed=1)
    folder = inner.path / "reference"
    reason = f"no reference data at {folder}; set PODIUM_REFERENCE to the folder that holds data/a.csv"
    assert reason in " ".join(result.stdout.str().split())


def test_a_file_that_is_not_in_the_folder_fails(inner: pytest.Pytester) -> None:
    folder = inner.mkdir("reference")
    result = inner.runpytest()
    result.assert_outcomes(failed=1)
    reason = f"data/a.csv is not in the reference data at {folder} (PODIUM_REFERENCE)"
    assert reason in " ".join(result.stdout.str().split())
