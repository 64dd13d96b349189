"""The command line: one verb per file; each parses, makes one public call and prints."""

from __future__ import annotations

import argparse
import codecs
import io
import itertools
import json
import os
import re
import sys
import unicodedata
import warnings
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any, NoReturn, TextIO

from podium.cli.exit_status import DONE, READER_GONE, WRONG, errors_of_interrupts, interrupted
from podium.cli.messages import error_text
from podium.errors import InputError, PodiumError, join_names

# In the order of the help text; each has a module with `add_parser` and `run`, imported when it is used.
VERBS = {
    "demo": "run and analyse a small experiment; it needs about two minutes of processor time",
    "show": "describe and summarise a table of scores, or the results of a run",
    "explore": "write summaries and figures of a table of scores, or of a run, to a folder",
    "explorer": "explore an experiment in a browser: podium, replications, samples, models, data",
    "report": "write a report: the answer, figures, tests, orders, cautions, methods",
    "summary": "summarise each algorithm: mean, sd, median, quartiles, mean rank",
    "table": "make a table for a paper: text, LaTeX, Markdown, HTML, CSV, JSON",
    "compare": "compare all pairs of algorithms, or all with a control",
    "order": "order the algorithms as far as the data allow",
    "consensus": "find one order for several data sets or measures",
    "domain": "analyse many data sets jointly: order on each, order of all, places, model",
    "mixed": "fit a mixed-effects model",
    "bayes": "compare pairs of algorithms with Bayesian tests",
    "plot": "draw a figure",
    "ranks": "rank the algorithms on each data set, with quartile charts, tests, winners and losers",
    "wins": "on how many data sets each algorithm beats each of the others, with sign tests",
    "multitest": "order the algorithms by performance and cost",
    "monitor": "repeat a test on accumulating replications of one data set",
    "sequential": "find when a sequential test would have stopped",
    "import": "read scores in the form of another tool and write them in podium's own",
    "export": "write the scores of a run, or of a table, to a file",
    "datasets": "list the data sets known by name, or show one",
    "init": "write a commented experiment file to start from",
    "describe": "describe an experiment, formally and for a paper",
    "run": "run an experiment, or resume it",
    "record": "record what your own loop has measured in a warehouse",
    "status": "show the status of an experiment, also while it runs",
    "retry": "run trials again that failed, timed out or crashed, and those that are left",
    "warehouse": "check, merge, export or import warehouses",
    "completion": "print a script that completes verbs and options in your shell",
}
MODULES = {"import": "import_scores", "export": "export_scores"}
FAILURE = WRONG

EPILOG = """\
examples:
  podium demo
  podium table scores.csv --measure accuracy --out table.tex
  podium compare scores.csv --measure accuracy --method nemenyi
  podium plot critical_difference scores.csv --measure accuracy --out cd.pdf
  podium init monks.yaml && podium run monks.yaml

exit status:
  0  done
  1  a check found damage, or the program that reads the output has ended
  2  the command or a file cannot be used
  3  the run is complete, but trials failed, timed out or crashed
  4  the run reached its time limit before all trials were run
  130  interrupted; everything measured so far is kept"""


# Control characters except tabs and line breaks: names in files must not control the terminal.
_CONTROL = {code: None for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n\r"}
# What podium itself prints beyond ASCII, except letters.
_PLAIN = {
    **dict.fromkeys("\u2013\u2014\u2212\u2500", "-"),  # dashes, minus, line
    **dict.fromkeys("\u251c\u2514", "+"),  # where the line of a tree branches, and where it ends
    "│": "|",
    "…": "...",
    "×": "x",
    "·": ".",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "≺": "<",
    "±": "+-",
    "∞": "inf",
    "²": "^2",
    "³": "^3",
}


class Printable(io.TextIOBase):
    """The output without escape sequences and other characters that would control the terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text without them."""
        self.stream.write(text.translate(_CONTROL))
        return len(text)

    def flush(self) -> None:
        """Flush what was written."""
        self.stream.flush()

    def isatty(self) -> bool:
        """Return whether it is a terminal."""
        return self.stream.isatty()

    def fileno(self) -> int:
        """Return the number of the file behind it."""
        return self.stream.fileno()


class Help(argparse.HelpFormatter):
    """Help texts with wrapped descriptions, and examples on separate lines; long ones are continued as in a shell."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" not in text:
            return super()._fill_text(text, width, indent)
        return "\n".join(part for line in text.split("\n") for part in _continued(line, width))


def _continued(line: str, width: int) -> list[str]:
    """Break a command between words, each line but the last with a backslash at its end; keep a line that fits."""
    lines = [line]
    if len(line) > width and line.lstrip().startswith("podium "):
        words = re.findall(r"(?:--[\w-]+ (?=[^-\s]))?(?:'[^']*'|\S)+", line)
        lines = [line[: len(line) - len(line.lstrip())] + words[0]]
        for word in words[1:]:
            fits = len(lines[-1]) + len(word) + 3 <= width
            lines[-1:] = [f"{lines[-1]} {word}"] if fits else [f"{lines[-1]} \\", f"      {word}"]
    return lines


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, as all errors of the command line are."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": Help, "allow_abbrev": False, **options})

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the words; what this verb does not know is an error of the verb."""
        words = list(sys.argv[1:] if args is None else args)
        known = self._option_string_actions
        below = [name for action in self._actions if action.nargs == argparse.PARSER for name in action.choices or ()]
        for word in itertools.takewhile(lambda word: word not in ("--", *below), words):
            name = word.partition("=")[0]
            if name.startswith("--") and " " not in name and name not in known:
                self.error(f"there is no option {name!r}.{_near(name, known)}".rstrip("."))
        found, unknown = super().parse_known_args(words, namespace)
        if unknown:
            hint = next((_near(f"-{word}", known) for word in unknown if word.startswith("-")), "")
            self.error(f"unrecognized arguments: {' '.join(unknown)}{f'.{hint}' if hint else ''}")
        if not below:
            found.shown = {action.dest: _shown(action) for action in self._actions}
        return found, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = join_names(action.choices, most=20)
            raise InputError(f"`{_shown(action)}` must be one of {known}; got {value!r}.{_near(value, action.choices)}")

    def _get_value(self, action: argparse.Action, text: str) -> Any:
        noun = {int: "a whole number", float: "a number"}.get(action.type)  # type: ignore[call-overload]
        try:
            return super()._get_value(action, text)
        except argparse.ArgumentError:
            if noun is None:
                raise
            raise InputError(f"`{_shown(action)}` must be {noun}; got {text!r}.") from None

    def error(self, message: str) -> NoReturn:
        """Print the error and exit."""
        end = "" if message.endswith("?") else "."
        self.exit(FAILURE, f"{self.prog}: {message}{end} See `{self.prog} --help`.\n")


def _shown(action: argparse.Action) -> str:
    """Return what the user calls an argument, such as ``--alpha`` or ``FILE``."""
    return action.option_strings[-1] if action.option_strings else str(action.metavar or action.dest)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit status; `podium --help` lists them."""
    words = list(sys.argv[1:] if argv is None else argv)
    name = " ".join(["podium", *[word for word in words if word in VERBS][:1]])
    try:
        with errors_of_interrupts():
            return _run(words)
    except KeyboardInterrupt:
        return interrupted(name)
    except PodiumError as error:
        print(f"{name}: {str(error).translate(_CONTROL)}", file=sys.stderr)
        return FAILURE
    except BrokenPipeError:  # the reader is gone, as in `podium describe FILE | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    except OSError as error:  # the system refuses a file: permissions, a full disk
        where = f"{error.filename!r}: " if error.filename else ""
        print(f"{name}: {where}{error.strerror or error}.", file=sys.stderr)
        return FAILURE


def _run(words: list[str]) -> int:
    """Run the verb that the words name."""
    replace_unwritable(sys.stdout, as_json="--json" in words)
    parser = build_parser(words)
    asked = next((word for word in words if not word.startswith("-")), None)
    if asked is not None and asked not in VERBS:
        parser.error(f"there is no verb {asked!r}.{_near(asked, VERBS)}".rstrip("."))
    args = parser.parse_args(words)
    if any("\0" in word for word in words):
        parser.error("an argument contains a NUL character")
    if not hasattr(args, "run"):
        parser.print_help()
        return DONE
    with warnings.catch_warnings(), redirect_stdout(Printable(sys.stdout)):
        warnings.showwarning = _shown_once(args.verb)
        try:
            status: int = args.run(args)
        except InputError as error:
            raise PodiumError(error_text(error, args.shown)) from error
    sys.stdout.flush()
    return status


def _near(word: str, known: Iterable[str]) -> str:
    from podium.checks import did_you_mean  # here, because numpy comes with it

    return did_you_mean(word, known)


def _shown_once(verb: str) -> Any:
    """Return how warnings are shown: one line each, once, without the place in the source."""
    seen = set()

    def show(message: Any, *_: Any, **__: Any) -> None:
        if str(message) not in seen:
            seen.add(str(message))
            print(f"podium {verb}: {' '.join(str(message).split())}", file=sys.stderr)

    return show


def build_parser(words: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Build the parser.

    If `words` begin with a verb, the parser has only this one; else it has all verbs, and their options only without
    `words`. The modules of the other verbs are not imported: `podium --help` should be quick.
    """
    parser = Parser(
        prog="podium",
        description="Benchmark experiments: compare learning algorithms, and end with an order that is "
        "statistically sound. `podium VERB --help` explains a verb and its options.",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"podium {import_module('podium').__version__}")
    verbs = parser.add_subparsers(title="verbs", dest="verb", metavar="VERB")
    asked = words[0] if words and words[0] in VERBS else None
    for verb, text in VERBS.items():
        if verb == asked or words is None:
            import_module(f"podium.cli.{MODULES.get(verb, verb)}").add_parser(verbs)
        elif asked is None:
            verbs.add_parser(verb, help=text)
    return parser


def replace_unwritable(stream: TextIO, as_json: bool) -> None:
    """Let a stream write what stands for a character that it lacks, instead of ending in an error.

    In text that is what one would type, such as - for –, and otherwise, as always in JSON, its code.
    """
    codecs.register_error("podium.text", lambda error: _replacement(error, plain=True))
    codecs.register_error("podium.json", lambda error: _replacement(error, plain=False))
    if hasattr(stream, "reconfigure"):  # not if Python code has put another object in its place
        stream.reconfigure(errors="podium.json" if as_json else "podium.text")


def _replacement(error: UnicodeError, *, plain: bool) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_typed(one) if plain else _code(one) for one in lacking), error.end


def _typed(character: str) -> str:
    """Return what one would type for a character; of a Greek letter its name."""
    name = unicodedata.name(character, "")
    if name.startswith("GREEK") and "LETTER" in name and "WITH" not in name:
        letter = name.split()[-1].lower()
        return letter.capitalize() if character.isupper() else letter
    return _PLAIN.get(character) or _code(character)


def _code(character: str) -> str:
    return json.dumps(character)[1:-1]
