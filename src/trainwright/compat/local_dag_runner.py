"""LocalDagRunner as TFX's users know it: components of their own run in the listed order."""

from __future__ import annotations

from trainwright.orchestration.local_dag_runner import LocalDagRunner as _LocalDagRunner


class LocalDagRunner(_LocalDagRunner):
    """Trainwright's LocalDagRunner that keeps the listed order, if not told otherwise.

    TFX runs one node at a time. Programs rely on that through side effects of their own
    components; `keep_listed_order=False` is for those that do not.
    """

    KEEPS_LISTED_ORDER = True
