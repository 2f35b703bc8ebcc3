"""`python -m config.local run`, or `manage` with a command."""

import sys

from config.local.run import main

sys.exit(main(sys.argv[1:]))
