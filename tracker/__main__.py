"""`python -m tracker`: the same as the console script."""

import sys

from tracker.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
