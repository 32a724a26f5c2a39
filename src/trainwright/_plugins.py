"""Entry points: what other packages add to the names that Trainwright knows.

A package declares them in its pyproject.toml and needs nothing else:

    [project.entry-points."trainwright.engines"]
    spark = "my_package.engines:SparkEngine"

Reading the metadata of all installed packages takes tens of milliseconds, so these are asked only
for a name that is not built in, or when an error or the help lists the names that there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trainwright._errors import TrainwrightError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class PluginError(TrainwrightError, RuntimeError):
    """An installed package offers a name, and what it names cannot be used."""


def find(group: str, name: str) -> Any:
    """The object that an installed package offers under a name; None if no package does.

    Example: `find("trainwright.engines", "spark")`

    Raises:
        PluginError: if the object cannot be imported, or several packages offer different ones.
    """
    found = _find_entry_point(group, name)
    if found is None:
        return None
    try:
        return found.load()
    except Exception as error:
        problem = f"which cannot be imported: {type(error).__name__}: {error}"
        raise _unusable(found, problem) from error


def is_offered(group: str, name: str) -> bool:
    """Whether an installed package offers a name; nothing is imported for it.

    Raises:
        PluginError: if several packages offer different objects.
    """
    return _find_entry_point(group, name) is not None


def refuse(group: str, name: str, problem: str) -> PluginError:
    """The error for an object that `find` has found and that is not what its group expects.

    Example: `raise refuse("trainwright.engines", "spark", "which is an int: expected a class")`
    """
    found = _find_entry_point(group, name)
    assert found is not None
    return _unusable(found, problem)


def names(group: str) -> list[str]:
    """The names that installed packages offer, sorted; nothing is imported for it."""
    return list(packages_by_name(group))


def packages_by_name(group: str) -> dict[str, str]:
    """The package of each name that is offered, sorted by name; nothing is imported for it."""
    found = sorted(
        (entry_point.name, _package(entry_point)) for entry_point in _entry_points(group)
    )
    return dict(found)


def _find_entry_point(group: str, name: str) -> EntryPoint | None:
    found = [entry_point for entry_point in _entry_points(group) if entry_point.name == name]
    if len({entry_point.value for entry_point in found}) > 1:
        offers = " and ".join(sorted(f"{_package(one)} ({one.value})" for one in found))
        raise PluginError(
            f"{name!r} of the entry points {group} is offered by {offers}: expected one. "
            "Uninstall the others."
        )
    return found[0] if found else None


def _unusable(entry_point: EntryPoint, problem: str) -> PluginError:
    return PluginError(
        f"{entry_point.name!r} of the entry points {entry_point.group} is {entry_point.value} of "
        f"{_package(entry_point)}, {problem}. Reinstall that package, or uninstall it."
    )


def remember(group: str) -> None:
    """Reads what is offered once, for this process and its forks.

    For processes that live as long as a run: a package that is installed later is not seen there.
    """
    _remembered[group] = _entry_points(group)


# What `remember` has read, by group.
_remembered: dict[str, list[EntryPoint]] = {}


def _entry_points(group: str) -> list[EntryPoint]:
    if group in _remembered:
        return _remembered[group]
    from importlib.metadata import entry_points  # takes longer to import than most commands have

    return list(entry_points(group=group))


def _package(entry_point: EntryPoint) -> str:
    return entry_point.dist.name if entry_point.dist else "an unnamed package"
