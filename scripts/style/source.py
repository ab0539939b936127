"""Reads one Python file into the few facts that the style limits are about."""

import ast
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Definition: TypeAlias = Function | ast.ClassDef

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, *_FUNCTIONS)
_IGNORE = re.compile(r"#\s*(?:type|pyright):\s*ignore")


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """Size and form of one function or method."""

    where: str
    """`path:line name`."""
    lines: int
    complexity: int
    """Cyclomatic complexity by McCabe's rules, as ruff's C901 counts it."""
    body: int
    """Lines without the docstring."""
    is_typed: bool
    """Every argument but self and cls, and the result, has an annotation."""


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name of our own package."""

    module: str
    name: str
    """Empty for `import module`."""
    inside_function: bool


@dataclass(slots=True)
class SourceFile:
    """What the limits need to know about one file."""

    path: Path
    module: str
    """Dotted name."""
    lines: int
    functions: list[FunctionFacts] = field(default_factory=list[FunctionFacts])
    imports: list[Import] = field(default_factory=list[Import])
    undocumented: list[str] = field(default_factory=list[str])
    """Public definitions without a docstring."""
    public: int = 0
    """Public definitions."""
    uses_of_any: int = 0
    ignores: int = 0
    """Comments that silence the type checker."""
    swallowed: list[str] = field(default_factory=list[str])
    """Places of bare or broad excepts that neither raise nor look at what they caught."""
    public_classes: list[str] = field(default_factory=list[str])
    """Those of the module itself."""
    names: Counter[str] = field(default_factory=Counter[str])
    """How often each name is read."""
    aliases: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """Aliases of types that the module makes, and the names in each."""

    @property
    def name(self) -> str:
        """The file's, without its ending."""
        return self.path.stem

    @property
    def is_package(self) -> bool:
        """Whether it stands for a folder: `__init__` or `__main__`."""
        return self.name.startswith("__")


def read_source(path: Path, root: Path, package: str) -> SourceFile:
    """The facts of `path`, whose dotted name starts below `root`; imports of `package` are collected.

    Raises `SyntaxError` when the file is not Python.
    """
    text = path.read_text(encoding="utf-8")
    parts = list(path.relative_to(root).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    source = SourceFile(path, ".".join(parts), text.count("\n"), ignores=len(_IGNORE.findall(text)))
    tree = ast.parse(text, str(path))
    _note_definition(source, tree, source.module)
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    source.public_classes = [name for name in classes if not name.startswith("_")]
    _walk(source, tree, package, ())
    return source


def _walk(source: SourceFile, node: ast.AST, package: str, scope: tuple[Definition, ...]) -> None:
    for child in ast.iter_child_nodes(node):
        inner = scope
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            source.functions.append(_function_facts(source.path, child))
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if _is_public(child, scope):
                _note_definition(source, child, f"{source.path}:{child.lineno} {child.name}")
            inner = (*scope, child)
        _note_details(source, child, package, scope)
        _walk(source, child, package, inner)


def _note_details(source: SourceFile, node: ast.AST, package: str, scope: tuple[Definition, ...]) -> None:
    inside_function = any(not isinstance(outer, ast.ClassDef) for outer in scope)
    match node:
        case ast.Name(id="Any") | ast.Attribute(attr="Any"):
            source.uses_of_any += 1
        case ast.Name(id=name, ctx=ast.Load()):
            source.names[name] += 1
        case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias"), value=ast.expr() as value):
            source.aliases[name] = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
        case ast.ExceptHandler() if _swallows_everything(node):
            source.swallowed.append(f"{source.path}:{node.lineno}")
        case ast.Import():
            found = [Import(alias.name, "", inside_function) for alias in node.names]
            source.imports.extend(item for item in found if _belongs(item.module, package))
        case ast.ImportFrom() if _belongs(module := _imported_module(source, node), package):
            source.imports.extend(Import(module, alias.name, inside_function) for alias in node.names)
        case _:
            pass


def _imported_module(source: SourceFile, node: ast.ImportFrom) -> str:
    """The dotted name of the module that names are imported from; dots count from the folder of the file."""
    if node.level == 0:
        return node.module or ""
    folders = source.module.split(".")
    above = node.level - 1 if source.path.name == "__init__.py" else node.level
    return ".".join([*folders[: len(folders) - above], *([node.module] if node.module else [])])


def _belongs(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _is_public(node: Definition, scope: tuple[Definition, ...]) -> bool:
    hidden = any(not isinstance(outer, ast.ClassDef) or outer.name.startswith("_") for outer in scope)
    return not hidden and not node.name.startswith("_")


def _note_definition(source: SourceFile, node: Definition | ast.Module, where: str) -> None:
    source.public += 1
    if ast.get_docstring(node) is None:
        source.undocumented.append(where)


def _function_facts(path: Path, node: Function) -> FunctionFacts:
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    arguments += [argument for argument in (node.args.vararg, node.args.kwarg) if argument is not None]
    named = [argument for argument in arguments if argument.arg not in {"self", "cls"}]
    return FunctionFacts(
        where=f"{path}:{node.lineno} {node.name}",
        lines=(node.end_lineno or node.lineno) - node.lineno + 1,
        body=_body(node),
        complexity=sum(_paths(inner) for inner in ast.walk(node)),
        is_typed=node.returns is not None and all(argument.annotation is not None for argument in named),
    )


def _body(node: Function) -> int:
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node) is None:
        return lines
    docstring = node.body[0]
    return lines - ((docstring.end_lineno or docstring.lineno) - docstring.lineno + 1)


def _paths(node: ast.AST) -> int:
    """Ways through the function that this node adds; the function itself is the first."""
    match node:
        case ast.Try(orelse=orelse) | ast.TryStar(orelse=orelse):
            return int(bool(orelse))
        case ast.Match(cases=cases):
            return len(cases) - int(_takes_everything(cases[-1]))
        case _:
            return int(isinstance(node, _BRANCHES))


def _takes_everything(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def _swallows_everything(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {node.id for node in caught if isinstance(node, ast.Name)}
    is_broad = handler.type is None or bool(names & {"Exception", "BaseException"})
    return is_broad and not any(_hands_on(node, handler.name) for node in ast.walk(handler))


def _hands_on(node: ast.AST, error: str | None) -> bool:
    """Whether an except's node raises, or does something with the error that was caught."""
    return isinstance(node, ast.Raise) or (isinstance(node, ast.Name) and node.id == error)
