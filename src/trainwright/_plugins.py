"""Entry points: what other packages add to the names that Trainwright knows.

A package declares them in its pyproject.toml and needs nothing else:

    [project.entry-points."trainwright.engines"]
    spark = "my_package.engines:SparkEngine"

Reading the metadata of all installed packages takes tens of milliseconds, so these are asked only
for a name that is not built in, or when an error lists the names that there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class PluginError(RuntimeError):
    """An installed package offers a name, and what it names cannot be used."""


def find(group: str, name: str) -> Any:
    """The object that an installed package offers under a name; None if no package does.

    Example: `find("trainwright.engines", "spark")`

    Raises:
        PluginError: if the object cannot be imported, or several packages offer different ones.
    """
    found = [entry_point for entry_point in _entry_points(group) if entry_point.name == name]
    if len({entry_point.value for entry_point in found}) > 1:
        offers = " and ".join(sorted(f"{_package(one)} ({one.value})" for one in found))
        raise PluginError(
            f"{name!r} of the entry points {group} is offered by {offers}: expected one. "
            "Uninstall the others."
        )
    if not found:
        return None
    try:
        return found[0].load()
    except Exception as error:
        raise PluginError(
            f"{name!r} of the entry points {group} is {found[0].value} of {_package(found[0])}, "
            f"which cannot be imported: {type(error).__name__}: {error}. Reinstall that package, "
            "or uninstall it."
        ) from error


def names(group: str) -> list[str]:
    """The names that installed packages offer, sorted; nothing is imported for it."""
    return sorted({entry_point.name for entry_point in _entry_points(group)})


def _entry_points(group: str) -> list[EntryPoint]:
    from importlib.metadata import entry_points  # takes longer to import than most commands have

    return list(entry_points(group=group))


def _package(entry_point: EntryPoint) -> str:
    return entry_point.dist.name if entry_point.dist else "an unnamed package"
