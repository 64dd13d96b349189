"""``podium plot NAME FILE``: draw a figure."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.comparison_options import (
    add_area_option,
    add_pair_option,
    add_test_options,
    area,
    compared,
    pair,
    read_chosen,
)
from podium.cli.messages import format_option
from podium.cli.output import filled, hanging
from podium.errors import InputError, join_names

FORMATS = (".png", ".pdf", ".svg")
SIZES = ("screen", "column", "page")
BAYESIAN = ("credible_intervals", "simplex")
FROM_SCORES = (  # first arguments of the figures that are drawn from scores here
    *("results", "comparison", "relation", "relations", "distances", "domain", "fit", "fits", "model", "multitest"),
)


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "plot",
        help="draw a figure",
        description="Draw a figure of `podium.plot` by its name: box, strip, podium, critical_difference, hasse, "
        "pvalues, trellis, … `podium plot list` lists them. Figures of comparisons take the options of "
        "`podium compare`.",
        epilog="examples:\n  podium plot list\n  podium plot podium scores.csv --measure accuracy --out podium.pdf\n"
        "  podium plot critical_difference scores.csv --measure accuracy --method nemenyi --size column --out cd.pdf\n"
        "  podium plot podium scores.csv --measure accuracy --set lines=algorithm\n"
        "  podium plot credible_intervals scores.csv --measure accuracy --equivalence 0.01 --out bayes.pdf\n"
        "  podium plot cost_tradeoff scores.csv --measure accuracy --cost 'fit time' --out cost.pdf",
    )
    parser.add_argument("name", metavar="NAME", help="name of the figure, or `list`")
    add_test_options(parser)
    for action in parser._actions:  # FILE is not needed to list the figures
        if action.dest == "file":
            action.nargs, action.required = "?", False
    add_area_option(parser)
    parser.add_argument("--out", metavar="FILE", help=f"file: {', '.join(FORMATS)}; default: NAME.png")
    parser.add_argument(
        "--size", default="screen", metavar="SIZE", help="screen, column, page, or inches: 5 wide, or 7x4"
    )
    parser.add_argument("--title", metavar="TEXT", help="title of the axes")
    add_pair_option(parser, "for simplex: the two algorithms; default: the first two")
    parser.add_argument(
        "--statistic",
        metavar="NAME",
        help="for figures of all data sets: order the algorithms of each by a point estimate instead of a test: mean, "
        "median, worst, …",
    )
    parser.add_argument("--cost", metavar="NAME", help="for figures of multitest: a measure of the table")
    parser.add_argument("--test", metavar="NAME", help="for figures of multitest: the test of each pair")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        help="an additional option of the figure; repeatable",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Draw, save, and print the name of the file."""
    import inspect

    import podium
    from podium.checks import check_keys, did_you_mean

    names = [name for name in podium.plot.__all__ if name not in ("colours", "plot_of", "save")]
    if args.name == "list":
        drawn = [name for name in names if _first_argument(name) in FROM_SCORES]
        print(_list(drawn))
        rest = join_names([name for name in names if name not in drawn], most=len(names), quote=False)
        print(f"\n{filled(f'In Python, podium.plot also draws the outcomes of other analyses: {rest}.')}")
        return 0
    if args.name not in names:
        raise InputError(
            f"NAME must be that of a figure; `podium plot list` lists them. Got {args.name!r}."
            f"{did_you_mean(args.name, names)}"
        )
    if args.file is None:
        raise InputError(f"`podium plot {args.name}` needs a FILE with scores.")
    out = args.out or f"{args.name}.png"
    if not out.lower().endswith(FORMATS):
        raise InputError(f"`--out` must end in one of {join_names(FORMATS)}; got {out!r}.")
    draw = getattr(podium.plot, args.name)
    known = inspect.signature(draw).parameters
    first, *others = known
    if first not in FROM_SCORES:
        raise InputError(
            f"The figure {args.name!r} cannot be drawn from scores alone. Use podium.plot.{args.name} in Python."
        )
    settings = _settings(args.set)
    check_keys(settings, [name for name in others if name != "ax"], f"`podium plot {args.name}`", "option")
    subject, options = _subject(args, first)
    options |= {"size": _size(args.size), **settings}
    if args.title is not None:
        options["title"] = args.title
    if "missing" in known:
        options["missing"] = args.missing
    if "alpha" in known and "alpha" not in options:
        options["alpha"] = args.alpha
    axes = draw(subject, **options)
    print(podium.plot.save(axes, out))
    return 0


def _first_argument(name: str) -> str:
    """Return the name of what a figure draws."""
    import inspect

    import podium

    return next(iter(inspect.signature(getattr(podium.plot, name)).parameters))


def _list(names: list[str]) -> str:
    """List figures, each with the first line of its documentation."""
    import inspect

    import podium

    gap = 2 + max(map(len, names))
    lines = ((name, (inspect.getdoc(getattr(podium.plot, name)) or "").partition("\n")[0]) for name in names)
    return "\n".join(hanging(f"{name:<{gap}}{line}", gap) for name, line in lines)


def _subject(args: argparse.Namespace, wanted: str) -> tuple[Any, dict[str, Any]]:
    """Make what the figure draws from the scores."""
    import podium

    if wanted == "multitest":
        return _multitest(args), {}
    results = read_chosen(args)
    if wanted == "results":
        return results, {}
    if args.name in BAYESIAN:
        found = podium.inference.compare_bayes(
            results,
            method=args.method,
            equivalence=area(args),
            control=args.control,
            ratio=args.ratio,
            missing=args.missing,
            alpha=args.alpha,
        )
        return found, dict(zip("ab", _pair(args, results, found), strict=True)) if args.name == "simplex" else {}
    if wanted == "comparison":
        return compared(args, results, equivalence=area(args)), {
            "results": results
        } if args.name == "multi_comparison" else {}
    if wanted == "relation":
        return compared(args, results, equivalence=area(args)).relation(), {}
    if wanted in ("fit", "fits"):
        fit = podium.mixed(results, missing="available" if args.missing == "raise" else args.missing)
        return fit, {}
    if wanted in ("relations", "distances"):
        return podium.relations.preferences(results, missing=args.missing), {}
    if wanted == "domain":
        return podium.domain(results, statistic=args.statistic, missing=args.missing), {}
    return podium.bradley_terry(podium.PairedComparisons.from_results(results, missing=args.missing)), {}  # a model


def _pair(args: argparse.Namespace, results: Any, found: Any) -> tuple[str, str]:
    """Return the pair that was asked for, or the first one."""
    a, b = found.frame()[["a", "b"]].iloc[0].map(str)
    asked = pair(args, results)
    if isinstance(asked, str):
        raise InputError(f"`--pair` must be two algorithms, such as {format_option('--pair', (a, b))}; got {asked!r}.")
    return asked or (a, b)


def _multitest(args: argparse.Namespace) -> Any:
    """Order the algorithms by performance and cost."""
    import podium

    if args.cost is None:
        raise InputError(f"`podium plot {args.name}` orders by cost, too: name a measure of the table with `--cost`.")
    name, args.measure = args.measure, None
    results = read_chosen(args)
    order = podium.multi2test if len(results.datasets) > 1 else podium.multitest
    options = {} if args.ratio is None else {"ratio": args.ratio}
    return order(results, name, cost=args.cost, test=args.test, alpha=args.alpha, missing=args.missing, **options)


def _size(text: str) -> Any:
    from podium.checks import did_you_mean

    if text in SIZES:
        return text
    wide, times, tall = text.partition("x")
    try:
        return (float(wide), float(tall)) if times else float(wide)
    except ValueError:
        raise InputError(
            f"`--size` must be screen, column, page, or inches such as 5 (wide) or 7x4; got {text!r}."
            f"{did_you_mean(text, SIZES)}"
        ) from None


def _settings(words: list[str]) -> dict[str, Any]:
    import yaml

    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise InputError(f"`--set` must have the form option=value; got {word!r}.")
        try:
            found[name.replace("-", "_")] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise InputError(f"`--set {name}` has a value that cannot be read: {value!r}.") from None
    return found
