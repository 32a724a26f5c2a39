"""Resources of a node: what each of its processes needs of the machine that it runs on."""

from __future__ import annotations

from dataclasses import dataclass

from trainwright._amounts import in_words
from trainwright._checks import check_integer, check_number, mismatch


@dataclass(frozen=True, kw_only=True)
class NodeResources:
    """What one process of a node needs; `BaseComponent.with_resources` sets it.

    Args:
        cpus: Processors; a fraction for a process that mostly waits.
        gpus: GPUs; a fraction if several processes may share it.
        memory: Bytes of memory; None if nothing is known of it.
    """

    cpus: float = 1
    gpus: float = 0
    memory: int | None = None

    def __post_init__(self) -> None:
        check_number("cpus of with_resources", self.cpus)
        if not self.cpus > 0:
            fix = "Give a fraction, such as 0.1, for a node that mostly waits."
            raise ValueError(mismatch("cpus of with_resources", self.cpus, "more than 0", fix))
        check_number("gpus of with_resources", self.gpus, least=0)
        if self.gpus > 1 and self.gpus != int(self.gpus):
            expected = "a fraction of a GPU, or a whole number of them"
            raise ValueError(mismatch("gpus of with_resources", self.gpus, expected))
        if self.memory is not None:
            check_integer("memory of with_resources, in bytes,", self.memory, least=1)

    def as_amounts(self) -> dict[str, float]:
        """What is asked for, by Ray's names."""
        amounts = {"CPU": self.cpus, "GPU": self.gpus, "memory": self.memory or 0}
        return {name: amount for name, amount in amounts.items() if amount}

    def __str__(self) -> str:
        """
        >>> print(NodeResources(cpus=4, gpus=1, memory=8 << 30))
        4 CPUs, 1 GPU and 8 GiB of memory
        """
        return in_words(self.as_amounts())
