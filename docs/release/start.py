"""The program in the bundle."""

import multiprocessing
import sys

from tracker.cli.main import main

if __name__ == "__main__":
    multiprocessing.freeze_support()  # the workers of a forecast are this program, too
    sys.exit(main())
