"""Runs the program with the same arguments: `python -m ptc_eval`."""

import os
import subprocess
import sys

from ptc_eval import PtcEvalError, binary

try:
    command = [binary(), *sys.argv[1:]]
except PtcEvalError as error:
    sys.exit(f"error: {error}")
if os.name == "posix":
    os.execv(command[0], command)
sys.exit(subprocess.call(command))
