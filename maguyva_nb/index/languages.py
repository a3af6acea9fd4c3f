"""What is known of each language, as data: one row a language, and which file is in which."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from maguyva_nb.types import SymbolKind as Kind


@dataclass(frozen=True, slots=True)
class ImportStyle:
    """How the text of an import reads.

    ``separator`` joins path parts; ``split_last``: the last part is the imported name, the rest its module;
    ``levels``: leading dots count as levels (Python).
    """

    separator: str = "."
    split_last: bool = False
    levels: bool = False


@dataclass(frozen=True, slots=True)
class ExportStyle:
    """When a symbol can be seen from outside its file.

    ``hidden``: names that match are not exported; ``marked``: only symbols with an ``@exported`` mark are;
    ``members_of``: kinds whose members are exported with them.
    """

    hidden: str = ""
    marked: bool = False
    members_of: frozenset[Kind] = frozenset()


@dataclass(frozen=True, slots=True)
class TestStyle:
    """Tests that are known by name: functions that match, alone or in a type that matches."""

    functions: str = ""
    types: str = ""


@dataclass(frozen=True, slots=True)
class Grammar:
    """A compiled grammar and how to read it.

    ``queries`` are files of the ``queries`` folder, read as one; ``comments`` matches comment markers;
    ``upper_constants``: a value with an upper-case name is a constant by convention; ``preprocessed``: what
    does not parse may do so once macros and conditionals are out of the way.
    """

    module: str
    queries: tuple[str, ...]
    comments: str
    function: str = "language"
    imports: ImportStyle = ImportStyle()
    exports: ExportStyle = ExportStyle()
    upper_constants: bool = False
    preprocessed: bool = False
    tests: TestStyle = TestStyle()


@dataclass(frozen=True, slots=True)
class Language:
    """One row: a language without a grammar is only named and cut by lines."""

    name: str
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    grammar: Grammar | None = None


_CLASSLIKE = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.ENUM, Kind.VARIABLE, Kind.CONSTANT})
_ABSTRACT = frozenset({Kind.INTERFACE, Kind.ENUM})
_HASH = r"^[ \t]*#+[!:]?[ \t]?"
_SLASH = r"^[ \t]*(?:/\*+!?|\*(?!/)|//+[/!]?)[ \t]?|[ \t]*\*+/[ \t\r]*$"
_DASH = r"^[ \t]*(?:--\[=*\[|--+)[ \t]?|\]=*\][ \t\r]*$"
_PYTHON = Grammar(
    "tree_sitter_python",
    ("python.scm",),
    _HASH,
    imports=ImportStyle(levels=True),
    exports=ExportStyle(hidden="_(?!_.*__$)"),
    upper_constants=True,
    tests=TestStyle(functions="test_", types="^Test|Tests?$|TestCase$"),
)
_SCRIPT = ExportStyle(hidden="#", marked=True, members_of=_CLASSLIKE)
_PATHS = ImportStyle(separator="/")
_JAVASCRIPT = Grammar(
    "tree_sitter_javascript",
    ("ecmascript.scm", "javascript.scm", "jsx.scm"),
    _SLASH,
    imports=_PATHS,
    exports=_SCRIPT,
    upper_constants=True,
)
_TYPESCRIPT = Grammar(
    "tree_sitter_typescript",
    ("ecmascript.scm", "typescript.scm"),
    _SLASH,
    function="language_typescript",
    imports=_PATHS,
    exports=_SCRIPT,
    upper_constants=True,
)
_TSX = Grammar(
    "tree_sitter_typescript",
    ("ecmascript.scm", "typescript.scm", "jsx.scm"),
    _SLASH,
    function="language_tsx",
    imports=_PATHS,
    exports=_SCRIPT,
    upper_constants=True,
)
_RUST = Grammar(
    "tree_sitter_rust",
    ("rust.scm",),
    _SLASH,
    imports=ImportStyle(separator="::", split_last=True),
    exports=ExportStyle(marked=True, members_of=frozenset({Kind.TRAIT, Kind.ENUM})),
)
_GO = Grammar("tree_sitter_go", ("go.scm",), _SLASH, imports=_PATHS, exports=ExportStyle(hidden=r"[^\W\dA-Z]"))
_JAVA = Grammar(
    "tree_sitter_java",
    ("java.scm",),
    _SLASH,
    imports=ImportStyle(split_last=True),
    exports=ExportStyle(marked=True, members_of=_ABSTRACT),
)
_C = Grammar("tree_sitter_c", ("cfamily.scm", "c.scm"), _SLASH, imports=_PATHS, preprocessed=True)
_CPP = Grammar("tree_sitter_cpp", ("cpp.scm", "cfamily.scm"), _SLASH, imports=_PATHS, preprocessed=True)
_CSHARP = Grammar(
    "tree_sitter_c_sharp", ("csharp.scm",), _SLASH, exports=ExportStyle(marked=True, members_of=_ABSTRACT)
)
_RUBY = Grammar("tree_sitter_ruby", ("ruby.scm",), _HASH, imports=_PATHS)
_PHP = Grammar(
    "tree_sitter_php",
    ("php.scm",),
    f"{_SLASH}|{_HASH}",
    function="language_php",
    imports=ImportStyle(separator="\\", split_last=True),
)
_BASH = Grammar("tree_sitter_bash", ("bash.scm",), _HASH, imports=_PATHS, upper_constants=True)
_MARKDOWN = Grammar("tree_sitter_markdown", ("markdown.scm",), _HASH)
_KOTLIN = Grammar("tree_sitter_kotlin", ("kotlin.scm",), _SLASH, imports=ImportStyle(split_last=True))
_SWIFT = Grammar("tree_sitter_swift", ("swift.scm",), _SLASH)
_SCALA = Grammar("tree_sitter_scala", ("scala.scm",), _SLASH, imports=ImportStyle(split_last=True))
_LUA = Grammar("tree_sitter_lua", ("lua.scm",), _DASH)
_ROWS = (
    Language("python", (".py", ".pyi", ".pyw", ".bzl"), ("SConstruct", "SConscript"), ("python", "pypy"), _PYTHON),
    Language("javascript", (".js", ".jsx", ".mjs", ".cjs"), (), ("node", "nodejs"), _JAVASCRIPT),
    Language("typescript", (".ts", ".mts", ".cts"), (), ("deno", "bun"), _TYPESCRIPT),
    Language("tsx", (".tsx",), grammar=_TSX),
    Language("rust", (".rs",), grammar=_RUST),
    Language("go", (".go",), grammar=_GO),
    Language("java", (".java",), grammar=_JAVA),
    Language("c", (".c", ".h"), grammar=_C),
    Language("cpp", (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".tpp", ".cu", ".ino"), grammar=_CPP),
    Language("csharp", (".cs", ".csx"), grammar=_CSHARP),
    Language("ruby", (".rb", ".rake", ".gemspec", ".ru"), ("Gemfile", "Rakefile", "Podfile"), ("ruby",), _RUBY),
    Language("php", (".php", ".phtml"), (), ("php",), _PHP),
    Language("bash", (".sh", ".bash", ".zsh", ".ksh"), (".bashrc",), ("bash", "sh", "zsh", "dash", "ksh"), _BASH),
    Language("markdown", (".md", ".markdown", ".mdx"), grammar=_MARKDOWN),
    Language("kotlin", (".kt", ".kts"), grammar=_KOTLIN),
    Language("swift", (".swift",), (), ("swift",), _SWIFT),
    Language("scala", (".scala", ".sc", ".sbt"), (), ("scala",), _SCALA),
    Language("lua", (".lua",), (), ("lua", "luajit"), _LUA),
    Language("jupyter", (".ipynb",)),
    Language("yaml", (".yaml", ".yml"), (".clang-format",)),
    Language("toml", (".toml",), ("Cargo.lock", "poetry.lock", "uv.lock")),
    Language("json", (".json", ".jsonc", ".json5", ".jsonl", ".geojson")),
    Language("sql", (".sql", ".ddl")),
    Language("html", (".html", ".htm", ".xhtml", ".jinja", ".jinja2", ".j2")),
    Language("css", (".css", ".scss", ".sass", ".less")),
    Language("vue", (".vue",)),
    Language("svelte", (".svelte",)),
    Language("xml", (".xml", ".xsd", ".xsl", ".svg", ".csproj", ".plist")),
    Language("elixir", (".ex", ".exs"), (), ("elixir",)),
    Language("erlang", (".erl", ".hrl"), (), ("escript",)),
    Language("zig", (".zig",)),
    Language("haskell", (".hs", ".lhs"), (), ("runghc", "runhaskell")),
    Language("ocaml", (".ml", ".mli")),
    Language("fsharp", (".fs", ".fsi", ".fsx")),
    Language("clojure", (".clj", ".cljs", ".cljc", ".edn")),
    Language("lisp", (".lisp", ".lsp", ".el")),
    Language("scheme", (".scm", ".ss", ".rkt")),
    Language("julia", (".jl",), (), ("julia",)),
    Language("r", (".r", ".rmd"), (), ("rscript",)),
    Language("dart", (".dart",)),
    Language("perl", (".pl", ".pm"), (), ("perl",)),
    Language("groovy", (".groovy", ".gradle"), ("Jenkinsfile",), ("groovy",)),
    Language("powershell", (".ps1", ".psm1"), (), ("pwsh",)),
    Language("objc", (".m", ".mm")),
    Language("nim", (".nim",)),
    Language("fortran", (".f", ".f90", ".f95", ".f03")),
    Language("assembly", (".s", ".asm")),
    Language("cython", (".pyx", ".pxd")),
    Language("solidity", (".sol",)),
    Language("protobuf", (".proto",)),
    Language("graphql", (".graphql", ".gql")),
    Language("terraform", (".tf", ".tfvars", ".hcl")),
    Language("nix", (".nix",)),
    Language("viml", (".vim",), (".vimrc",)),
    Language("cmake", (".cmake",), ("CMakeLists.txt",)),
    Language("make", (".mk",), ("Makefile", "GNUmakefile"), ("make",)),
    Language("dockerfile", (".dockerfile",), ("Dockerfile", "Containerfile")),
    Language("ini", (".ini", ".cfg", ".properties"), (".editorconfig", ".gitconfig")),
    Language("restructuredtext", (".rst",)),
    Language("latex", (".tex",)),
    Language("text", (".txt",), ("LICENSE", "NOTICE", "README", "CHANGELOG", "AUTHORS")),
)
# A header is C unless it holds something only C++ has.
_CPP_MARKS = re.compile(
    rb"^\s*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:)"
    rb"|\bstd::|\bextern\s+\"C\+\+\"|^\s*#\s*include\s*<(?:string|vector|memory|map|iostream|cstdint|cstddef)>",
    re.MULTILINE,
)
_SHEBANG = re.compile(rb"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+|\w+=\S*\s+)*)?(?:\S*/)?([A-Za-z+]+)")


def all_languages() -> tuple[Language, ...]:
    """Every known language, parsed or only named."""
    return _ROWS


@cache
def language(name: str) -> Language | None:
    """The row of a language by name."""
    return next((row for row in _ROWS if row.name == name), None)


def language_of(path: str, head: bytes = b"") -> str | None:
    """The language of a file by name, extension, or the shebang in its first bytes; None when unknown."""
    name = PurePosixPath(path.replace("\\", "/")).name
    found = _filenames().get(name.lower()) or _by_extension(name.lower())
    if found == "c" and name.lower().endswith(".h") and _CPP_MARKS.search(head):
        return "cpp"
    return found or _by_shebang(head)


def _by_extension(name: str) -> str | None:
    suffixes = PurePosixPath(name).suffixes
    joined = ("".join(suffixes[i:]) for i in range(len(suffixes)))
    return next((_extensions()[s] for s in joined if s in _extensions()), None)


def _by_shebang(head: bytes) -> str | None:
    match = _SHEBANG.match(head)
    return _interpreters().get(match[1].decode("ascii").lower()) if match else None


@cache
def _extensions() -> dict[str, str]:
    return {extension: row.name for row in _ROWS for extension in row.extensions}


@cache
def _filenames() -> dict[str, str]:
    return {filename.lower(): row.name for row in _ROWS for filename in row.filenames}


@cache
def _interpreters() -> dict[str, str]:
    return {interpreter: row.name for row in _ROWS for interpreter in row.interpreters}
