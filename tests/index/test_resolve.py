"""Calls, imports and inheritance lead where the language says; what is not known is said to be so."""

# ruff: noqa: E501 (SQL and sources are clearer unbroken)
from __future__ import annotations

import pytest

from maguyva_nb.config import load_settings
from maguyva_nb.index.parse import parse_source
from maguyva_nb.index.parsed import ParsedFile
from maguyva_nb.index.paths import module_name
from maguyva_nb.index.resolve import Links, Unit, resolve
from maguyva_nb.index.resolve.receiver import split_chain
from maguyva_nb.index.resolve.signatures import parameters, plain_type, result_type, value_type

CONFIDENCE = load_settings().confidence
Edge = tuple[str, str]
EXTENSIONS = {
    "py": "python",
    "ts": "typescript",
    "js": "javascript",
    "go": "go",
    "rs": "rust",
    "java": "java",
    "php": "php",
}


class World:
    """A few files, resolved; symbols are named ``path:qualified name``, modules by their path."""

    def __init__(self, files: dict[str, str], root_name: str = "") -> None:
        self.units = [unit(i, path, text) for i, (path, text) in enumerate(sorted(files.items()))]
        self.links: Links = resolve(self.units, CONFIDENCE, root_name=root_name)
        self.names = [
            f"{u.path}:{s.qualified_name}" if s.parent is not None else u.path
            for u in self.units
            for s in u.parsed.symbols
        ]

    def edges(self, kind: str) -> set[Edge]:
        return {(self.names[e.src], self.names[e.dst]) for e in self.links.edges if e.kind == kind}

    def how(self, name: str) -> str:
        """The resolution of the only call of a name."""
        (site,) = [s for s in self.links.sites if s.name == name]
        return str(site.resolution)

    def targets(self, name: str) -> set[str]:
        sites = {s.site_id for s in self.links.sites if s.name == name}
        return {self.names[e.dst] for e in self.links.edges if e.site_id in sites and e.kind == "calls"}


def unit(number: int, path: str, text: str) -> Unit:
    language = EXTENSIONS[path.rpartition(".")[2]]
    empty = ParsedFile(language, ())
    return Unit(number, path, language, parse_source(language, text.encode(), module_name(path)) if text else empty)


def test_the_nearest_definition_wins() -> None:
    world = World({"a.py": "def f(): pass\ndef g():\n    def f(): pass\n    f()\ndef h():\n    f()\n"})
    assert world.edges("calls") == {("a.py:g", "a.py:g.f"), ("a.py:h", "a.py:f")}


def test_methods_are_not_seen_as_bare_names_in_python() -> None:
    world = World({"a.py": "class C:\n    def f(self): pass\n    def g(self):\n        f()\n"})
    assert world.how("f") == "unresolved"


def test_a_parameter_hides_a_function_of_its_name() -> None:
    world = World({"a.py": "def run(): pass\ndef apply(run):\n    run()\n"})
    assert world.how("run") == "unresolved"


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("from pkg.util import f", "f()"),
        ("from pkg.util import f as g", "g()"),
        ("from pkg import util", "util.f()"),
        ("from pkg import util as u", "u.f()"),
        ("import pkg.util", "pkg.util.f()"),
        ("import pkg.util as u", "u.f()"),
        ("from .util import f", "f()"),
        ("from . import util", "util.f()"),
        ("from ..pkg.util import f", "f()"),
        ("from pkg.util import *", "f()"),
        ("from pkg import f", "f()"),
        ("from pkg.deep import f", "f()"),
        ("from pkg.deep import renamed", "renamed()"),
    ],
)
def test_python_imports_of_every_form(line: str, call: str) -> None:
    files = {
        "src/pkg/__init__.py": "from .util import f\n",
        "src/pkg/util.py": "def f(): pass\n",
        "src/pkg/deep.py": "from . import *\nfrom pkg import f as renamed\n",
        "src/pkg/main.py": f"{line}\ndef main():\n    {call}\n",
    }
    assert ("src/pkg/main.py:main", "src/pkg/util.py:f") in World(files).edges("calls")


def test_packages_with_an_empty_init_and_scripts_side_by_side() -> None:
    world = World(
        {
            "p/__init__.py": "",
            "p/m.py": "def f(): pass\n",
            "a.py": "import p.m\nimport b\np.m.f()\nb.g()\n",
            "b.py": "def g(): pass\n",
        }
    )
    assert world.edges("calls") == {("a.py", "p/m.py:f"), ("a.py", "b.py:g")}


def test_a_module_of_ones_own_is_not_the_standard_one() -> None:
    world = World(
        {
            "pkg/__init__.py": "",
            "pkg/logging.py": "def getLogger(): pass\n",
            "pkg/a.py": "import logging\nlogging.getLogger()\n",
        }
    )
    assert world.how("getLogger") == "external"


def test_the_explored_folder_may_be_the_package_itself() -> None:
    files = {"__init__.py": "", "a.py": "from tool.b import f\nf()\n", "b.py": "def f(): pass\n"}
    assert World(files, root_name="tool").edges("calls") == {("a.py", "b.py:f")}


def test_a_cycle_of_reexports_ends() -> None:
    world = World({"a.py": "from b import f\nf()\n", "b.py": "from a import f\n"})
    assert world.how("f") == "unresolved"


CLASSES = """
class Base:
    def shared(self): pass
    def hook(self):
        self.step()
class Child(Base):
    def __init__(self):
        super().__init__()
        self.shared()
        self.own()
        self.missing()
    def own(self): pass
    def step(self): pass
def make() -> Child:
    return Child()
def use(c: Child, o: "Optional[Child]", unknown):
    c.own()
    make().shared()
"""


def test_self_super_and_inherited_members() -> None:
    world = World({"a.py": CLASSES})
    calls = world.edges("calls")
    assert ("a.py:Child.__init__", "a.py:Base.shared") in calls
    assert ("a.py:Child.__init__", "a.py:Child.own") in calls
    assert world.how("missing") == "unresolved"
    assert world.edges("inherits") == {("a.py:Child", "a.py:Base")}


def test_a_method_left_to_subclasses_is_found_there() -> None:
    world = World({"a.py": CLASSES})
    assert world.targets("step") == {"a.py:Child.step"}
    assert world.how("step") == "hierarchy"


def test_annotations_of_parameters_and_results_give_types() -> None:
    world = World({"a.py": CLASSES})
    assert {("a.py:use", "a.py:Child.own"), ("a.py:use", "a.py:Base.shared")} <= world.edges("calls")


def test_making_an_object_calls_the_class_and_its_constructor() -> None:
    world = World({"a.py": "class A:\n    def __init__(self): pass\nclass B(A): pass\nB()\n"})
    assert world.targets("B") == {"a.py:B", "a.py:A.__init__"}


def test_the_resolution_order_of_a_diamond() -> None:
    text = "class A:\n    def f(self): pass\nclass B(A): pass\nclass C(A):\n    def f(self): pass\nclass D(B, C): pass\nD().f()\n"
    assert World({"a.py": text}).targets("f") == {"a.py:C.f"}


def test_a_cycle_of_bases_ends() -> None:
    world = World({"a.py": "class A(B): pass\nclass B(A): pass\nA().f()\n"})
    assert world.how("f") == "unresolved"


def test_endless_chains_of_classes_and_values_end() -> None:
    classes = "class C0: pass\n" + "".join(f"class C{i}(C{i - 1}): pass\n" for i in range(1, 3000))
    values = "v0 = C0()\n" + "".join(f"v{i} = v{i - 1}()\n" for i in range(1, 3000))
    world = World({"a.py": f"{classes}{values}C2999().f()\nv2999.g()\n"})
    assert world.how("f") == world.how("g") == "unresolved"


def test_what_a_foreign_base_defines_is_external() -> None:
    world = World({"a.py": "import abc\nclass A(abc.ABC):\n    def f(self):\n        self.register()\n"})
    assert world.how("register") == "external"


@pytest.mark.parametrize("call", ["len(x)", "'a'.join(x)", "json.dumps(x)", "os.path.join(x)", "[].append(x)"])
def test_calls_that_leave_the_codebase(call: str) -> None:
    text = f"import json\nimport os\n{call}\nclass Own:\n    def join(self): pass\n    def append(self): pass\n    def dumps(self): pass\n"
    (site,) = World({"a.py": text}).links.sites
    assert str(site.resolution) == "external"


def test_a_bare_name_is_a_last_resort_with_low_confidence() -> None:
    world = World({"a.py": "class A:\n    def refresh(self): pass\n", "b.py": "def f(x):\n    x.refresh()\n"})
    (edge,) = [e for e in world.links.edges if e.kind == "calls"]
    assert world.names[edge.dst] == "a.py:A.refresh"
    assert str(edge.provenance) == "name_only"
    assert edge.confidence == CONFIDENCE["name_only"]


def test_a_name_that_many_bear_or_that_lists_answer_to_is_not_guessed() -> None:
    many = "".join(f"class A{i}:\n    def refresh(self): pass\n    def append(self): pass\n" for i in range(4))
    world = World({"a.py": many, "b.py": "def f(x):\n    x.refresh()\n    x.append()\n"})
    assert world.edges("calls") == set()


def test_a_guess_never_crosses_languages_or_leads_into_tests() -> None:
    test = "import unittest\nclass T(unittest.TestCase):\n    def refresh(self): pass\n"
    world = World({"a.ts": "export class A { refresh() { } }\n", "t.py": test, "b.py": "def f(x):\n    x.refresh()\n"})
    assert world.how("refresh") == "unresolved"


def test_a_decorator_is_called_by_what_surrounds_its_function() -> None:
    world = World({"a.py": "def deco(f): return f\n@deco\ndef g(): pass\n"})
    assert world.edges("calls") == {("a.py", "a.py:deco")}
    assert world.edges("references") == {("a.py:g", "a.py:deco")}


def test_import_edges_lead_to_symbols_and_modules() -> None:
    world = World({"a.py": "import b\nfrom b import f\nimport os\n", "b.py": "def f(): pass\n"})
    assert world.edges("imports") == {("a.py", "b.py"), ("a.py", "b.py:f")}


def test_contains_follows_the_parents() -> None:
    world = World({"a.py": "class A:\n    def f(self): pass\n"})
    assert world.edges("contains") == {("a.py", "a.py:A"), ("a.py:A", "a.py:A.f")}


def test_every_site_has_an_edge_or_says_why_not() -> None:
    world = World({"a.py": CLASSES, "b.py": "from a import *\nuse(1)\nprint(nothing())\n"})
    with_edge = {e.site_id for e in world.links.edges if e.site_id is not None}
    for site in world.links.sites:
        assert (site.site_id in with_edge) == (str(site.resolution) not in ("external", "unresolved"))


TS = {
    "src/util.ts": "export function f() {}\nexport default class Main { run() {} }\n",
    "src/index.ts": "export { f as g } from './util'\nexport * from './util'\n",
    "lib/index.js": "function h() {}\nmodule.exports = { h }\n",
}


@pytest.mark.parametrize(
    ("line", "call", "target"),
    [
        ("import { f } from './util'", "f()", "src/util.ts:f"),
        ("import { f as x } from './util.js'", "x()", "src/util.ts:f"),
        ("import * as u from './util'", "u.f()", "src/util.ts:f"),
        ("import { g } from '.'", "g()", "src/util.ts:f"),
        ("import { f } from './index'", "f()", "src/util.ts:f"),
        ("import Main from './util'", "new Main()", "src/util.ts:Main"),
        ("const lib = require('../lib')", "lib.h()", "lib/index.js:h"),
    ],
)
def test_script_imports(line: str, call: str, target: str) -> None:
    world = World(TS | {"src/main.ts": f"{line}\nexport function main() {{ {call} }}\n"})
    assert ("src/main.ts:main", target) in world.edges("calls")


def test_a_go_package_is_its_folder() -> None:
    files = {
        "a/x.go": "package a\n\nfunc F() { g() }\n\ntype T struct{}\n",
        "a/y.go": "package a\n\nfunc g() {}\n\nfunc (t *T) M() { t.N() }\n\nfunc (t *T) N() {}\n",
        "main.go": 'package main\n\nimport "example.org/m/a"\n\nfunc main() { a.F() }\n',
    }
    calls = World(files).edges("calls")
    assert calls == {("a/x.go:F", "a/y.go:g"), ("a/y.go:T.M", "a/y.go:T.N"), ("main.go:main", "a/x.go:F")}


def test_rust_paths_and_impls() -> None:
    files = {
        "src/lib.rs": "mod util;\nuse crate::util::Thing;\npub fn run(t: &Thing) { util::f(); t.go(); Thing::make(); }\n",
        "src/util.rs": "pub struct Thing;\nimpl Thing {\n    pub fn go(&self) { self.inner() }\n    fn inner(&self) {}\n    pub fn make() -> Self { Thing }\n}\npub fn f() {}\n",
    }
    assert World(files).edges("calls") >= {
        ("src/lib.rs:run", "src/util.rs:f"),
        ("src/lib.rs:run", "src/util.rs:Thing.go"),
        ("src/lib.rs:run", "src/util.rs:Thing.make"),
        ("src/util.rs:Thing.go", "src/util.rs:Thing.inner"),
    }


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a", ("a",)),
        ("a.b(x, (y)).c", ("a", "b()", "c")),
        ("a?.b!.c", ("a", "b", "c")),
        ("crate::util", ("crate", "util")),
        ("x[0]", ()),
        ("(a or b)", ()),
        ("f(", ()),
        ("", ()),
    ],
)
def test_receivers_are_taken_apart(text: str, parts: tuple[str, ...]) -> None:
    assert split_chain(text) == parts


def test_headers_tell_parameters_and_types() -> None:
    assert parameters("def f(self, a: int, *args, b: dict[str, int] = {}, **kw) -> X", "python") == {
        "self": "", "a": "int", "args": "", "b": "dict[str, int]", "kw": "",
    }  # fmt: skip
    assert parameters("func (c *T) M(a, b int, f func(int) error)", "go") == {
        "a": "",
        "b": "int",
        "f": "func(int) error",
    }
    assert parameters("public void m(final List<A> xs, int n)", "java") == {"xs": "List<A>", "n": "int"}
    assert result_type("def f(x) -> Optional[Foo]", "python", "f") == "Optional[Foo]"
    assert result_type("func (t *T) New(a int) (*Foo, error)", "go", "New") == "Foo"
    assert result_type("public static Foo make(int n)", "java", "make") == "Foo"
    assert [plain_type(t) for t in ("Foo | None", "&mut Foo", "Optional[a.Foo]", "list[Foo]", "A | B", "'Foo'")] == [
        "Foo", "Foo", "a.Foo", "list", "", "Foo",
    ]  # fmt: skip
    assert value_type("x: Foo = make()", "python", "x") == ("Foo", "make")
    assert value_type("x = a.Foo(1)", "python", "x") == ("", "a.Foo")
    assert value_type("x = 3", "python", "x") == ("", "")
    assert value_type("private final Foo foo = new Bar()", "java", "foo") == ("Foo", "Bar")
    assert value_type("private ?Foo $foo", "php", "foo") == ("?Foo", "")


FIELDS = {
    "a.java": "class A { private Foo foo; void m(Foo p) { foo.go(); this.foo.go(); p.go(); make().go(); }\n Foo make() { return foo; } }\nclass Foo { void go() {} }\n",
    "b.ts": "class A { private foo: Foo; constructor(private dep: Foo) {} m() { this.foo.go(); this.dep.go() } }\nclass Foo { go() {} }\n",
    "c.php": "<?php\nclass A { private Foo $foo; function m(?Foo $p) { $this->foo->go(); $p->go(); } }\nclass Foo { function go() {} }\n",
}


@pytest.mark.parametrize("path", FIELDS)
def test_declared_fields_and_parameters_give_types(path: str) -> None:
    world = World({path: FIELDS[path]})
    assert {(s.name, str(s.resolution)) for s in world.links.sites if s.name == "go"} == {("go", "type")}
    assert world.targets("go") == {f"{path}:Foo.go"}


@pytest.mark.parametrize("line", ["import com.x.util.Foo;", "import com.x.util.*;", "import static com.x.util.Foo.go;"])
def test_java_imports_of_classes_and_packages(line: str) -> None:
    call = "go()" if "static" in line else "Foo.go()"
    files = {
        "core/src/main/java/com/x/util/Foo.java": "package com.x.util;\nclass Foo { static void go() {} }\n",
        "core/src/main/java/com/x/App.java": f"package com.x;\n{line}\nclass App {{ void m() {{ {call}; }} }}\n",
        "core/src/test/java/com/x/AppTest.java": "package com.x;\nclass AppTest { void t(App a) { a.m(); } }\n",
    }
    world = World(files)
    assert world.targets("go") == {"core/src/main/java/com/x/util/Foo.java:Foo.go"}
    assert world.targets("m") == {"core/src/main/java/com/x/App.java:App.m"}
