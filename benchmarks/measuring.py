"""Helpers of the benchmarks: figures, the cost of a process, the memory of a process tree."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One line of the results.

    Args:
        what: What was measured.
        value: The figure, in `unit`.
        unit: For example "s", "ms", "rows/s".
        aim: What it should be, in the same unit; None if there is no aim.
        is_floor: Whether the aim is the least (a rate) rather than the most (a time).
        remark: What else a reader should know.
    """

    what: str
    value: float
    unit: str
    aim: float | None = None
    is_floor: bool = False
    remark: str = ""

    def as_table_row(self) -> str:
        aim, remarks = "", [self.remark] if self.remark else []
        if self.aim is not None:
            aim = f"{'≥' if self.is_floor else '<'} {_format(self.aim)} {self.unit}".rstrip()
            is_met = self.value >= self.aim if self.is_floor else self.value < self.aim
            verdict = f"{self.value / self.aim:.2f} of the aim"
            remarks.insert(0, verdict if is_met else f"**missed**: {verdict}")
        measured = f"{_format(self.value)} {self.unit}".rstrip()
        return f"| {self.what} | {measured} | {aim} | {'; '.join(remarks)} |"


def _format(value: float) -> str:
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 1 or not value else f"{value:.3f}".rstrip("0")


def describe(values: Sequence[float], scale: float = 1.0) -> str:
    """How far apart the values of a median lie, for example "0.91 to 1.3, 7 times"."""
    low, high = min(values) * scale, max(values) * scale
    return f"{_format(low)} to {_format(high)}, {len(values)} times"


@dataclass(frozen=True, kw_only=True)
class ProcessCost:
    """What one process took; `cpu` is user and system time, that of its children included."""

    wall: float
    cpu: float
    output: str


def run_process(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> ProcessCost:
    """Runs a command to its end; raises if it fails."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{output}")
    return ProcessCost(wall=wall, cpu=usage.ru_utime + usage.ru_stime, output=output)


def run_in_turn(commands: Mapping[str, Sequence[str]], times: int) -> dict[str, list[ProcessCost]]:
    """Runs the commands in turn, so that other load on the machine meets all of them alike."""
    costs: dict[str, list[ProcessCost]] = {name: [] for name in commands}
    for command in commands.values():
        run_process(command)  # the first time reads files from the disk
    for _ in range(times):
        for name, command in commands.items():
            costs[name].append(run_process(command))
    return costs


def trainwright_command(*arguments: str) -> list[str]:
    """The `trainwright` command of the environment that runs the benchmarks."""
    return [os.path.join(os.path.dirname(sys.executable), "trainwright"), *arguments]


def median(values: Iterable[float]) -> float:
    return statistics.median(values)


class PeakMemory:
    """The largest sum of resident memory of this process and all its descendants (Linux).

    Args:
        interval: Seconds between two looks.
        shared_once: Whether memory that processes share, such as a fork with its parent, counts
            once; otherwise it counts for each of them.

    Example: `with PeakMemory() as peak: work()`, then `peak.megabytes`.
    """

    megabytes = 0.0

    def __init__(self, interval: float = 0.02, *, shared_once: bool = False) -> None:
        self._interval = interval
        self._measure = _proportional_bytes if shared_once else _resident_bytes
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> PeakMemory:
        self._thread.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._end.wait(self._interval):
            used = sum(self._measure(pid) for pid in _process_tree(os.getpid()))
            self.megabytes = max(self.megabytes, used / 1e6)


def _process_tree(pid: int) -> list[int]:
    found = [pid]
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                for child in file.read().split():
                    found += _process_tree(int(child))
    except OSError:
        pass  # it has ended meanwhile
    return found


def _resident_bytes(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * _PAGE_BYTES
    except OSError:
        return 0


def _proportional_bytes(pid: int) -> int:
    """Its own memory, and of what it shares with others the part that falls to it."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            line = next(line for line in file if line.startswith("Pss:"))
            return int(line.split()[1]) * 1024
    except (OSError, StopIteration):
        return 0
