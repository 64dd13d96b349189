"""The command line: one verb per file; each parses, makes one public call and prints."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import podium
from podium.errors import PodiumError

# In the order of the help text; each is a module of this package with `add_parser` and `run`.
VERBS = ("demo", "show", "explore", "datasets", "describe", "run", "status", "retry", "warehouse")
FAILURE = 2


class Help(argparse.HelpFormatter):
    """Help texts with wrapped descriptions, and examples on separate lines."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, as all errors of the command line are."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": Help, **options})

    def error(self, message: str) -> NoReturn:
        """Print the error and exit."""
        self.exit(FAILURE, f"{self.prog}: {message}. See `{self.prog} --help`.\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit status: 0 for success, 2 for an error."""
    parser = build_parser()
    args = parser.parse_args(argv)
    if any("\0" in word for word in argv or ()):
        parser.error("an argument contains a NUL character")
    if not hasattr(args, "run"):
        parser.print_help()
        return 0
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except PodiumError as error:
        print(f"podium {args.verb}: {error}", file=sys.stderr)
        return FAILURE
    except BrokenPipeError:  # the reader is gone, as in `podium describe FILE | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:  # the system refuses a file: permissions, a full disk
        where = f"{error.filename!r}: " if error.filename else ""
        print(f"podium {args.verb}: {where}{error.strerror or error}.", file=sys.stderr)
        return FAILURE
    return status


def build_parser() -> argparse.ArgumentParser:
    """Build the parser with all its verbs."""
    parser = Parser(
        prog="podium",
        description="Benchmark experiments: compare learning algorithms, and end with an order that is "
        "statistically sound. `podium VERB --help` explains a verb and its options.",
        epilog="examples:\n  podium demo\n  podium show scores.csv --measure accuracy\n  podium run monks.yaml\n"
        "  podium show monks.yaml",
    )
    parser.add_argument("--version", action="version", version=f"podium {podium.__version__}")
    verbs = parser.add_subparsers(title="verbs", dest="verb", metavar="VERB")
    for verb in VERBS:
        import_module(f"podium.cli.{verb}").add_parser(verbs)
    return parser
