"""ServingSettings: the limits of a server, checked."""

from __future__ import annotations

import os
from dataclasses import dataclass

from trainwright._checks import check_integer, check_number

# More than this in flight is refused, so that memory is bounded whatever clients send.
_BODIES_AT_ONCE = 8


@dataclass(frozen=True, kw_only=True)
class ServingSettings:
    """How much a server takes on.

    Args:
        max_batch_size: The most rows of concurrent requests that the model computes at once; 1
            computes each request by itself.
        batch_wait_ms: How long a request may wait for others to be computed with it, where the
            batch before it had more rows. While something is computed, requests wait anyway.
        max_queue: The most requests that may wait; one more is refused with 503.
        threads: How many batches are computed at once; 0 chooses.
        max_body_bytes: The largest body of a request.
        timeout_seconds: The longest that a request may take, reading its body included.
        idle_seconds: After this long without a request a connection is closed.
        poll_seconds: How often the directory of the versions is looked at.
    """

    max_batch_size: int = 64
    batch_wait_ms: float = 2.0
    max_queue: int = 1000
    threads: int = 0
    max_body_bytes: int = 32 << 20
    timeout_seconds: float = 60.0
    idle_seconds: float = 30.0
    poll_seconds: float = 1.0

    def __post_init__(self) -> None:
        for name, least in (
            ("max_batch_size", 1),
            ("max_queue", 1),
            ("threads", 0),
            ("max_body_bytes", 1),
        ):
            check_integer(name, getattr(self, name), least=least)
        for name, smallest in (
            ("batch_wait_ms", 0.0),
            ("timeout_seconds", 0.001),
            ("idle_seconds", 0.1),
            ("poll_seconds", 0.01),
        ):
            check_number(name, getattr(self, name), least=smallest)

    @property
    def computing_threads(self) -> int:
        """`threads`, by default one for two cores, and at most four.

        TensorFlow divides a batch among all cores; a second one would mostly make batches smaller.
        """
        return self.threads or min(max((os.cpu_count() or 1) // 2, 1), 4)

    @property
    def max_bytes_in_flight(self) -> int:
        """What the bodies of all requests may take together."""
        return _BODIES_AT_ONCE * self.max_body_bytes
