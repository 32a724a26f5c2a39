"""A disk that fails: the n-th operation on files below a directory raises an error, once.

Python imports this by itself when its directory is on PYTHONPATH, in the runner, the zygotes and,
by their fork, the workers. Operations are counted over all processes, in a shared file.
"""

import builtins
import mmap
import os

_SETTINGS = os.environ.get("TRAINWRIGHT_TEST_FAULT")


def _install(counter_path: str, fail_at: int, number: int, below: str) -> None:
    with open(counter_path, "r+b") as file:
        counter = mmap.mmap(file.fileno(), 8)

    def maybe_fail(path) -> None:
        if not isinstance(path, (str, os.PathLike)) or below not in os.path.abspath(path):
            return
        count = int.from_bytes(counter[:8], "little") + 1
        counter[:8] = count.to_bytes(8, "little")
        if count == fail_at:
            raise OSError(number, os.strerror(number), os.fspath(path))

    class Failing:
        """Not a function, which pathlib of Python 3.10 would make a method of its own."""

        def __init__(self, function, path_of=lambda arguments: arguments[0]):
            self._function = function
            self._path_of = path_of

        def __call__(self, *arguments, **options):
            maybe_fail(self._path_of(arguments))
            return self._function(*arguments, **options)

    real_open = builtins.open

    def failing_open(path, mode="r", *arguments, **options):
        if any(letter in mode for letter in "wax+"):
            maybe_fail(path)
        return real_open(path, mode, *arguments, **options)

    def path_of_descriptor(arguments):
        return os.readlink(f"/proc/self/fd/{arguments[0]}")

    builtins.open = failing_open
    os.mkdir = Failing(os.mkdir)
    os.replace = Failing(os.replace)
    os.fsync = Failing(os.fsync, path_of_descriptor)


if _SETTINGS:
    _path, _fail_at, _number, _below = _SETTINGS.split(":")
    _install(_path, int(_fail_at), int(_number), _below)
