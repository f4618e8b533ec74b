"""Finds and runs the program ptc-eval."""

import contextlib
import logging
import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Sequence
from typing import IO, Optional, Union, cast

Path = Union[str, "os.PathLike[str]"]

log = logging.getLogger("ptc_eval")


class PtcEvalError(RuntimeError):
    """An error of the program, with its message and its exit code; `None` if the program was not started."""

    def __init__(self, message: str, exit_code: Optional[int] = None) -> None:
        super().__init__(message, exit_code)
        self.exit_code = exit_code

    def __str__(self) -> str:
        return str(self.args[0])


def binary() -> str:
    """The path of the program: that of the variable PTC_EVAL, where pip installs programs, or on the PATH."""
    named = os.environ.get("PTC_EVAL")
    if named:
        found = shutil.which(named)
        if found is None:
            raise PtcEvalError(f"PTC_EVAL is {named}, where there is no program")
    else:
        # pip installs into one of these folders, which need not be on the PATH.
        folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
        found = shutil.which("ptc-eval", path=os.pathsep.join(folders)) or shutil.which("ptc-eval")
        if found is None:
            raise PtcEvalError("ptc-eval is not installed: put it on the PATH, or set PTC_EVAL to its path")
    return os.path.abspath(found)


class Program:
    """The program while it runs. It does not outlive its block."""

    def __init__(self, arguments: Sequence[str], folder: Path = ".") -> None:
        self._errors = tempfile.TemporaryFile()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [binary(), *arguments], cwd=folder, stdin=pipe, stdout=pipe, stderr=self._errors
        )
        self._input = cast("IO[bytes]", self._process.stdin)
        self.output = cast("IO[bytes]", self._process.stdout)

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self.close_input()
        self.output.close()
        self._errors.close()

    def write(self, text: bytes) -> bool:
        """False if the program has stopped reading; its error says why."""
        try:
            self._input.write(text)
        except BrokenPipeError:
            return False
        return True

    def close_input(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._input.close()

    def wait(self) -> int:
        return self._process.wait()

    def errors(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace").strip()
