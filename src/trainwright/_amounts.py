"""Resources in words: processors, GPUs and memory, for errors, logs and reports."""

from __future__ import annotations

from collections.abc import Mapping

_GIB = 1 << 30


def in_words(amounts: Mapping[str, float]) -> str:
    """Amounts by Ray's names: `CPU`, `GPU`, `memory` in bytes, and names of a cluster's own.

    >>> in_words({"CPU": 4.0, "GPU": 1, "memory": 16 << 30})
    '4 CPUs, 1 GPU and 16 GiB of memory'
    """
    *first, last = [_in_words(name, amount) for name, amount in amounts.items()] or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last


def _in_words(name: str, amount: float) -> str:
    if name == "memory":
        gib = amount / _GIB
        return f"{gib:,.0f} GiB of memory" if gib >= 100 else f"{gib:.3g} GiB of memory"
    unit = f"{name}s" if name in ("CPU", "GPU") and amount != 1 else name
    return f"{amount:g} {unit}"
