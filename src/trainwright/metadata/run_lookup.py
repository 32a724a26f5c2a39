"""Finding one run: by its id, the beginning of it, or as the latest."""

from __future__ import annotations

from trainwright.metadata.records import RunRecord
from trainwright.metadata.store import MetadataStore

# How many runs a message names.
_SHOWN = 5


def find_run_record(store: MetadataStore, wanted: str) -> RunRecord:
    """A run by its id, the beginning of it, or "latest"; raises LookupError with advice.

    A run that was deleted from the history is not found.
    """
    if wanted == "latest":
        matches = store.get_runs(limit=1)
    else:
        exact = store.get_run(wanted)
        if exact is not None and exact.deleted_at is None:
            return exact
        matches = store.get_runs(id_prefix=wanted, limit=_SHOWN)
    if len(matches) == 1:
        return matches[0]
    known = ", ".join(run.run_id for run in matches or store.get_runs(limit=_SHOWN))
    if not known:
        raise LookupError("The store holds no runs yet.")
    problem = "matches several runs" if matches else "matches no run"
    raise LookupError(f"{wanted!r} {problem}. Some are: {known}. Or say `latest`.")
