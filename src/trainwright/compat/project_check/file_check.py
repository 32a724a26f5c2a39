"""File check: names that a file takes from TFX and its siblings, and whether they are here."""

from __future__ import annotations

import ast
import enum
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from trainwright import _estimator_repairs as estimator_repairs
from trainwright._extras import install_advice
from trainwright._imports import is_installed
from trainwright.compat.project_check.argument_check import (
    ArgumentProblem,
    cannot_run,
    check_call,
)
from trainwright.compat.project_check.name_lookup import OURS, Lookup, look_up
from trainwright.compat.project_check.source_files import (
    Code,
    UnreadableSourceError,
    read_source,
)
from trainwright.components.trainer.driver import trains_estimator
from trainwright.storage.uris import SCHEMES

_REMOTE = re.compile(r"(gs|s3|s3a|hdfs|abfss?|az|wasbs?|dbfs)://(.?)", re.IGNORECASE)
_COPY_FIRST = "Pipelines here read and write local paths, s3://, gs:// and az://: copy the files."
_IMPORT_ERRORS = {"ImportError", "ModuleNotFoundError", "Exception"}


class SupportStatus(enum.Enum):
    """What becomes of something that a file uses; all but the first three need work."""

    HERE = "here"
    OPTIONAL = "optional"
    DEPRECATED = "deprecated"
    NOT_INSTALLED = "not installed"
    UNSUPPORTED = "not here"
    REFUSED = "refused"
    INVALID = "wrong"

    @property
    def is_problem(self) -> bool:
        return self not in (SupportStatus.HERE, SupportStatus.OPTIONAL, SupportStatus.DEPRECATED)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """Something that a file uses.

    Args:
        line: Where it stands first, as people find it.
        what: The name, the argument or the path.
        verdict: What becomes of it here.
        advice: What to do, where something is to be done.
    """

    line: str
    what: str
    verdict: SupportStatus
    advice: str = ""


def check_file(path: str, own_modules: Collection[str] = ()) -> list[Finding]:
    """What a file uses, in the order of its lines; each name is told once.

    Args:
        path: A .py file or a notebook.
        own_modules: Modules of the project itself, beside those next to the file.

    Example: `[one.what for one in check_file("pipeline.py") if one.verdict.is_problem]`
    """
    try:
        pieces = read_source(path)
    except UnreadableSourceError as error:
        line = str(error.line) if error.line else ""
        return [Finding(line=line, what=path, verdict=SupportStatus.INVALID, advice=str(error))]
    checker = _Checker({*own_modules, *_beside(path)})
    for code in pieces:
        checker.check(code)
    return checker.findings


def _beside(path: str) -> set[str]:
    """The modules next to a file and in the directories above it that are packages."""
    found: set[str] = set()
    directory = os.path.dirname(os.path.abspath(path))
    while True:
        try:
            names = os.listdir(directory)
        except OSError:  # whoever may read a file may not always list its directory
            names = []
        found |= {name.removesuffix(".py") for name in names if name.endswith(".py")}
        found |= {name for name in names if os.path.isdir(os.path.join(directory, name))}
        above = os.path.dirname(directory)
        if "__init__.py" not in names or above == directory:
            return found - {"tfx", *OURS}
        directory = above


class _Checker:
    """Goes through the pieces of a file; what one imports, the later ones use."""

    def __init__(self, own_modules: Collection[str]) -> None:
        self.findings: list[Finding] = []
        self._own_modules = own_modules
        self._names: dict[str, str] = {}  # what a name of the file stands for, as a dotted name
        self._seen: set[tuple[str, SupportStatus]] = set()

    def check(self, code: Code) -> None:
        if code.error is not None:
            self._note(code, code.error.line, "the cell", SupportStatus.INVALID, str(code.error))
        nodes = list(_walk(code.tree))
        rebound = {node.id for node, _ in nodes if _is_rebinding(node)}  # type: ignore[attr-defined]
        for node, is_optional in nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._check_import(code, node, is_optional)
        self._names = {name: at for name, at in self._names.items() if name not in rebound}
        for node, _ in nodes:
            if isinstance(node, ast.Call):
                self._check_call(code, node)
            elif isinstance(node, ast.Attribute):
                self._check_name(code, node)
            elif isinstance(node, (ast.Constant, ast.JoinedStr)):
                self._check_text(code, node)
        self._check_module_functions(code)
        # What is refused is there, too, but that is not what matters of it.
        refused = {one.what for one in self.findings if one.verdict is SupportStatus.REFUSED}
        self.findings = [
            one
            for one in self.findings
            if one.verdict is not SupportStatus.HERE or one.what not in refused
        ]
        self.findings.sort(key=_line_number)

    def _note(
        self, code: Code, line: int, what: str, verdict: SupportStatus, advice: str = ""
    ) -> None:
        if (what, verdict) not in self._seen:
            self._seen.add((what, verdict))
            self.findings.append(
                Finding(line=code.place(line), what=what, verdict=verdict, advice=advice)
            )

    def _note_lookup(
        self, code: Code, line: int, what: str, lookup: Lookup, is_optional: bool = False
    ) -> None:
        if not lookup.problem:
            self._note(code, line, what, SupportStatus.HERE)
        elif is_optional:
            advice = f"The file goes on without it. {lookup.problem}"
            self._note(code, line, what, SupportStatus.OPTIONAL, advice)
        else:
            missing = lookup.is_missing_package
            verdict = SupportStatus.NOT_INSTALLED if missing else SupportStatus.UNSUPPORTED
            self._note(code, line, what, verdict, lookup.problem)

    def _check_import(self, code: Code, node: ast.Import | ast.ImportFrom, optional: bool) -> None:
        if isinstance(node, ast.ImportFrom):
            if node.level:
                return  # of the project itself
            wanted = [(f"{node.module}.{one.name}", one.asname or one.name) for one in node.names]
            wanted = [
                (str(node.module), "") if name.endswith(".*") else (name, bound)
                for name, bound in wanted
            ]
        else:
            wanted = [(one.name, one.asname or "") for one in node.names]
        for name, bound in wanted:
            package = name.partition(".")[0]
            if package in self._own_modules or _is_uninteresting(package):
                continue
            self._names[bound or package] = name if bound else package
            self._note_lookup(code, node.lineno, name, look_up(name), optional)

    def _check_name(self, code: Code, node: ast.Attribute) -> None:
        name = self._dotted(node)
        package = (name or "").partition(".")[0]
        if name is None or not (package in OURS or package == "tensorflow"):
            return
        if look_up(self._names[_first_name(node)]).problem:
            return  # the import has said it
        lookup = look_up(name)
        if lookup.problem or (package != "tensorflow" and lookup.found is not None):
            self._note_lookup(code, node.lineno, name, lookup)

    def _check_call(self, code: Code, node: ast.Call) -> None:
        name = self._dotted(node.func)
        if name is None or name.partition(".")[0] not in OURS:
            return
        lookup = look_up(name)
        given = [keyword.arg for keyword in node.keywords if keyword.arg is not None]
        for problem in check_call(lookup.found, given):
            what = f"{name}({problem.argument}=)" if problem.argument else name
            self._note(code, node.lineno, what, _VERDICTS[problem.kind], problem.advice)
        for value in (*node.args, *(keyword.value for keyword in node.keywords)):
            executor = self._dotted(value)
            reason = cannot_run(look_up(executor).found) if executor else ""
            if executor and reason:
                self._note(code, value.lineno, executor, SupportStatus.REFUSED, reason)

    def _check_text(self, code: Code, node: ast.Constant | ast.JoinedStr) -> None:
        """A path of an object store; a scheme alone is compared with, or begins an f-string."""
        is_whole = isinstance(node, ast.Constant)
        first = node if is_whole else next(iter(node.values), None)  # type: ignore[union-attr]
        text = first.value if isinstance(first, ast.Constant) else None
        remote = _REMOTE.match(text) if isinstance(text, str) else None
        if not remote or not (remote[2] or not is_whole):
            return
        if remote[1].lower() not in SCHEMES:
            self._note(code, node.lineno, repr(text), SupportStatus.REFUSED, _COPY_FIRST)
        elif is_installed("obstore"):
            self._note(code, node.lineno, repr(text), SupportStatus.HERE)
        else:
            advice = install_advice("obstore") or ""
            self._note(code, node.lineno, repr(text), SupportStatus.NOT_INSTALLED, advice)

    def _check_module_functions(self, code: Code) -> None:
        """A module file of an Estimator has `trainer_fn` and no `run_fn`."""
        functions = {
            node.name: node.lineno for node in code.tree.body if isinstance(node, ast.FunctionDef)
        }
        if trains_estimator(functions) and not estimator_repairs.is_installed():
            advice = estimator_repairs.missing_extra("It")
            self._note(
                code, functions["trainer_fn"], "def trainer_fn", SupportStatus.REFUSED, advice
            )

    def _dotted(self, node: ast.expr) -> str | None:
        """The full name of `alias.attribute.attribute`; None for other expressions."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self._names:
            return None
        return ".".join((self._names[node.id], *reversed(parts)))


_VERDICTS = {
    ArgumentProblem.Kind.UNKNOWN: SupportStatus.INVALID,
    ArgumentProblem.Kind.DEPRECATED: SupportStatus.DEPRECATED,
    ArgumentProblem.Kind.REFUSED: SupportStatus.REFUSED,
}


def _is_uninteresting(package: str) -> bool:
    """Whether a package is Python's own, about which there is nothing to say."""
    return package in sys.stdlib_module_names or package == "trainwright"


def _line_number(finding: Finding) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", finding.line)] or [0]


def _is_rebinding(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _walk(tree: ast.Module) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes but docstrings, and whether each stands where a failing import is expected.

    Without recursion: an expression may be nested more deeply than Python's stack.
    """
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, is_optional = waiting.pop()
        yield node, is_optional
        expected = {id(child) for child in _children_that_may_fail(node)}
        waiting += ((child, is_optional or id(child) in expected) for child in _children(node))


def _children(node: ast.AST) -> Iterable[ast.AST]:
    for child in ast.iter_child_nodes(node):
        is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        # The outermost attribute of a chain speaks for those within it.
        if isinstance(node, ast.Attribute) and isinstance(child, ast.Attribute):
            yield _end_of_chain(child)
        elif not is_docstring:
            yield child


def _first_name(node: ast.expr) -> str:
    end = _end_of_chain(node)
    assert isinstance(end, ast.Name)
    return end.id


def _end_of_chain(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def _children_that_may_fail(node: ast.AST) -> list[ast.stmt]:
    if isinstance(node, ast.Try) and any(_catches_imports(one) for one in node.handlers):
        return node.body
    if isinstance(node, ast.If):
        test = node.test
        name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
        return node.body if name == "TYPE_CHECKING" else []
    return []


def _catches_imports(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    names = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
    return bool(names & _IMPORT_ERRORS)
