"""``podium completion SHELL``: print a script that completes verbs and options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

SHELLS = ("bash", "zsh", "fish")


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "completion",
        help="print a script that completes verbs and options in your shell",
        description="Print a script that completes verbs, options and their choices. Load it when your shell starts.",
        epilog="examples:\n  podium completion bash >> ~/.bashrc\n  podium completion zsh > ~/.zfunc/_podium\n"
        "  podium completion fish > ~/.config/fish/completions/podium.fish",
    )
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    print({"bash": bash, "zsh": zsh, "fish": fish}[args.shell]())
    return 0


def parsers() -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Yield the name, help and parser of every verb."""
    from podium.cli import VERBS, build_parser

    verbs = next(action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction))
    for name, parser in verbs.choices.items():
        yield name, VERBS[name], parser


def words_of(parser: argparse.ArgumentParser) -> list[str]:
    """List the options of a verb, and the choices of what comes without an option (actions, shells)."""
    found: list[str] = []
    for action in parser._actions:
        found += [option for option in action.option_strings if option.startswith("--")]
        if not action.option_strings and action.choices is not None:
            found += [str(choice) for choice in action.choices]
    return found


def choices_of(parser: argparse.ArgumentParser) -> dict[str, list[str]]:
    """List the values of the options that have a fixed choice."""
    return {
        option: [str(choice) for choice in action.choices]
        for action in parser._actions
        if action.choices is not None
        for option in action.option_strings
    }


def bash() -> str:
    """Write the script for bash."""
    every = list(parsers())
    cases = []
    for name, _, parser in every:
        values = "".join(
            f'\n            {option}) COMPREPLY=($(compgen -W "{" ".join(choices)}" -- "$word")); return ;;'
            for option, choices in choices_of(parser).items()
        )
        inner = f'        case "$before" in{values}\n        esac\n' if values else ""
        cases.append(f'    {name})\n{inner}        words="{" ".join(words_of(parser))}" ;;')
    return f"""\
_podium() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=""
    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        COMPREPLY=($(compgen -W "{" ".join(name for name, _, _ in every)} --help --version" -- "$word"))
        return
    fi
    case "${{COMP_WORDS[1]}}" in
{chr(10).join(cases)}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word"))
}}
complete -o filenames -F _podium podium"""


def zsh() -> str:
    """Write the script for zsh."""
    every = list(parsers())
    verbs = "\n".join(f"        '{name}:{_quoted(text)}'" for name, text, _ in every)
    cases = "\n".join(f"        {name}) options=({' '.join(words_of(parser))}) ;;" for name, _, parser in every)
    return f"""\
#compdef podium
_podium() {{
    local -a verbs options
    verbs=(
{verbs}
    )
    if (( CURRENT == 2 )); then
        _describe 'verb' verbs
        return
    fi
    case "$words[2]" in
{cases}
    esac
    if [[ "$PREFIX" == -* ]]; then
        compadd -- $options
    else
        compadd -- ${{options:#-*}}
        _files
    fi
}}
if [[ "$funcstack[1]" == _podium ]]; then _podium "$@"; else compdef _podium podium; fi"""


def fish() -> str:
    """Write the script for fish."""
    lines = []
    for name, text, parser in parsers():
        lines.append(f"complete -c podium -n __fish_use_subcommand -a {name} -d '{_quoted(text)}'")
        used = f"-n '__fish_seen_subcommand_from {name}'"
        for action in parser._actions:
            for option in action.option_strings:
                if option.startswith("--"):
                    values = f" -x -a '{' '.join(map(str, action.choices))}'" if action.choices is not None else ""
                    lines.append(f"complete -c podium {used} -l {option[2:]}{values}")
            if not action.option_strings and action.choices is not None:
                lines.append(f"complete -c podium {used} -a '{' '.join(map(str, action.choices))}'")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "").replace(":", "")
