"""``podium`` and ``python -m podium`` are the command line."""

import sys


def start() -> int:
    """Run the command line; an interrupt ends it in one line even while its modules are still being imported."""
    try:
        from podium.cli import main

        return main()
    except KeyboardInterrupt:
        sys.stderr.write("podium: interrupted.\n")
        return 130


if __name__ == "__main__":
    sys.exit(start())
