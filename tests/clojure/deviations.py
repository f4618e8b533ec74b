"""The documented differences between PTC-Lisp and Clojure, as tests on one disagreement."""

import re

import edn


def reason(program, theirs, mine):
    """Which documented deviation explains the disagreement; None if none does."""
    return None
