"""``python -m podium`` is the command line."""

import sys

from podium.cli import main

if __name__ == "__main__":
    sys.exit(main())
