"""Options of the verbs that test: which procedure, at which level, against which control."""

from __future__ import annotations

import argparse
import csv
from typing import TYPE_CHECKING, Any

from podium.cli.messages import format_option
from podium.cli.show import add_score_options, read_scores
from podium.errors import InputError, join_names

if TYPE_CHECKING:
    import podium

# The policies for missing cells, by what an analysis can do with them; a test tries each with every verb.
FOR_VALUES = ("raise", "drop-block", "drop-algorithm", "worst-value")
FOR_RANKS = (*FOR_VALUES, "worst-rank")
FOR_PAIRS = (*FOR_VALUES, "available")
ALL_POLICIES = (*FOR_RANKS, "available")


def add_missing_option(
    parser: argparse.ArgumentParser, policies: tuple[str, ...], default: str = "raise", *, note: str = ""
) -> None:
    """Add `--missing` with the policies that the verb accepts; `note` says which of them depend on other options."""
    *first, last = [one for one in policies if one != default]
    listed = f"{default} (the default), {', '.join(first)} or {last}"
    more = f"; {note}" if note else ""
    parser.add_argument("--missing", default=default, metavar="POLICY", help=f"for missing cells: {listed}{more}")


def add_test_options(
    parser: argparse.ArgumentParser,
    *,
    missing: str = "worst-rank is for methods of ranks, available for tests of pairs and mixed",
) -> None:
    """Add FILE, the options of `podium.read` and those of `podium.compare`; `missing` is the note on its policies."""
    add_score_options(parser)
    parser.add_argument("--dataset", metavar="NAME", help="only this data set")
    parser.add_argument(
        "--method", metavar="NAME", help="wilcoxon, nemenyi, wnmt, mixed, t, …; default: what fits the design"
    )
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="error level; default: 0.05")
    parser.add_argument("--control", metavar="NAME", help="compare all others with this algorithm")
    parser.add_argument("--adjust", metavar="NAME", help="holm, shaffer, single-step, none, …")
    add_ratio_option(parser)
    add_missing_option(parser, ALL_POLICIES, note=missing)


def add_ratio_option(parser: argparse.ArgumentParser) -> None:
    """Add `--ratio`."""
    parser.add_argument(
        "--ratio",
        type=_fraction,
        metavar="R",
        help="size of the test sample divided by that of the learning sample, if the test needs it and the table does "
        "not have it: 1/9 for 10-fold cross-validation",
    )


def add_transform_option(parser: argparse.ArgumentParser) -> None:
    """Add `--transform`."""
    parser.add_argument(
        "--transform",
        choices=("log", "identity"),
        help="scale on which values are averaged and compared; log gives ratios",
    )


def _fraction(text: str) -> float:
    above, slash, below = text.partition("/")
    try:
        return float(above) / float(below) if slash else float(above)
    except (ValueError, ZeroDivisionError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number or a fraction such as 1/9") from None


def add_area_option(parser: argparse.ArgumentParser) -> None:
    """Add `--equivalence`."""
    parser.add_argument(
        "--equivalence",
        metavar="D",
        help="differences that do not matter: up to D either way, such as 0.01; or between two numbers, "
        "written with an equals sign: --equivalence=-0.01,0.02",
    )


def area(args: argparse.Namespace) -> float | tuple[float, float] | None:
    """Read the area of equivalence."""
    if args.equivalence is None:
        return None
    try:
        ends = [float(word) for word in args.equivalence.split(",")]
    except ValueError:
        ends = []
    if len(ends) not in (1, 2):
        raise InputError(
            f"`--equivalence` must be a number such as 0.01, or two such as -0.01,0.02; got {args.equivalence!r}."
        )
    return ends[0] if len(ends) == 1 else (ends[0], ends[1])


def names_in(text: str, option: str) -> list[str]:
    """Read names that are separated by commas; as in a CSV file, a name that contains a comma is in double quotes.

    >>> names_in("svm, knn", "--pair"), names_in('"forest, 100 trees",svm', "--pair")
    (['svm', 'knn'], ['forest, 100 trees', 'svm'])
    """
    try:
        rows = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error:
        raise InputError(
            f"`{option}` must be names separated by commas; got {text!r}. Double quotes enclose a whole name, such as "
            """'"a, b",c'; double the quotes inside it."""
        ) from None
    return [name.strip() for row in rows for name in row if name.strip()]


def add_pair_option(parser: argparse.ArgumentParser, use: str) -> None:
    """Add `--pair`; `use` says what it is for."""
    parser.add_argument(
        "--pair", metavar="A,B", help=f"{use}; put a name that contains a comma in double quotes: '\"A, 1\",B'"
    )


def pair(args: argparse.Namespace, results: podium.Results) -> Any:
    """Read the pair: two names, or a single word as it is."""
    if args.pair is None:
        return None
    names = names_in(args.pair, "--pair")
    if len(names) > 2:
        with_comma = [name for name in results.algorithms if "," in name]
        example = (*with_comma[:1], *(name for name in results.algorithms if name not in with_comma[:1]))[:2]
        quotes = " Put a name that contains a comma in double quotes." if with_comma else ""
        raise InputError(
            f"`--pair` must be two algorithms, such as {format_option('--pair', example)}; got "
            f"{join_names(names)}.{quotes}"
        )
    return tuple(names) if len(names) == 2 else args.pair


def read_chosen(args: argparse.Namespace) -> podium.Results:
    """Read the scores, and take the measure and the data set that were asked for."""
    results = read_scores(args)
    if args.measure is not None and args.measure in results.measure_names:
        results = results.select(measure=args.measure)
    return results if getattr(args, "dataset", None) is None else results.select(dataset=args.dataset)


def compared(args: argparse.Namespace, results: podium.Results, **more: Any) -> podium.Comparison:
    """Compare as the options say."""
    from podium.analysis.compare import compare

    options = {"method": args.method, "alpha": args.alpha, "control": args.control, "adjust": args.adjust}
    if args.ratio is not None:
        options["ratio"] = args.ratio
    if getattr(args, "transform", None) is not None:
        options["transform"] = args.transform
    return compare(results, missing=args.missing, **options, **more)
