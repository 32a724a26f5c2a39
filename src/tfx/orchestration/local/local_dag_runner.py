"""LocalDagRunner as TFX's users know it: components of their own run in the listed order."""

from __future__ import annotations

from trainwright.orchestration.events import RunObserver
from trainwright.orchestration.local_dag_runner import LocalDagRunner as _LocalDagRunner


class LocalDagRunner(_LocalDagRunner):
    """Trainwright's LocalDagRunner with `keep_listed_order=True`.

    TFX runs one node at a time. Programs rely on that through side effects of their own
    components; `keep_listed_order=False` is for those that do not.
    """

    def __init__(
        self,
        *,
        max_parallel: int | None = None,
        observer: RunObserver | None = None,
        default_store: str | None = None,
        show_output: bool | None = None,
        keep_listed_order: bool = True,
    ) -> None:
        super().__init__(
            max_parallel=max_parallel,
            observer=observer,
            default_store=default_store,
            show_output=show_output,
            keep_listed_order=keep_listed_order,
        )
