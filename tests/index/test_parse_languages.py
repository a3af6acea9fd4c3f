"""What is read from each language: symbols, calls, imports, bases, documentation, tests."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from maguyva_nb.index.parse import parse_source
from maguyva_nb.index.parsed import ParsedFile


@dataclass(frozen=True)
class Case:
    """A source and what must be read from it; every list is complete unless it is empty."""

    language: str
    source: str
    symbols: str
    calls: str = ""
    imports: str = ""
    inherits: str = ""
    docs: dict[str, str] = field(default_factory=dict)
    exported: str = ""
    tests: str = ""


CASES = [
    Case(
        "javascript",
        """import def, { a as b } from './m'
import * as ns from "n"
import './side'
export { z } from './z'
export * from './all'
const { r, s: t } = require('r')
const fs = require('fs')

/** Shelf of things. */
@sealed
export class Stock extends base.Store {
  #items = []
  grow = () => this.add(1)
  static async load(path) { return new Stock(await fs.read(path)) }
  constructor(name) { super(name) }
}
export const LIMIT = 3, twice = (x) => x * 2
let state
function helper() {
  const local = 1
  function inner() { ns.run?.(b) }
}
const api = { get(x) { return helper() }, 'put-it': function () {}, n: 1 }
Stock.prototype.total = function () { return [].map(function each() {}) }
module.exports = { helper, api }
""",
        symbols="class Stock 10-16|variable Stock.#items 12-12|method Stock.grow 13-13|method Stock.load 14-14"
        "|method Stock.constructor 15-15|constant LIMIT 17-17|function twice 17-17|variable state 18-18"
        "|function helper 19-22|function helper.inner 21-21|constant api 23-23|method api.get 23-23"
        "|method api.put-it 23-23|method Stock.total 24-24|function Stock.total.each 24-24",
        calls="mod None require|mod None require|Stock None sealed|Stock.grow this add|Stock.load fs read"
        "|Stock.load None Stock|Stock.constructor None super|helper.inner ns run|api.get None helper"
        "|Stock.total [] map",
        imports="./m default def|./m a b|n None ns|./side None None|./z z None|./all * None|r r None|r s t|fs None fs",
        inherits="Stock base.Store",
        docs={"Stock": "Shelf of things."},
        exported="Stock Stock.grow Stock.load Stock.constructor LIMIT twice helper api api.get api.put-it",
    ),
    Case(
        "tsx",
        """import type { Props } from './types'
import q = require("q")
export abstract class View<T> extends React.Component<Props> implements Drawable, ns.Sized {
  private cache: Map<string, T> = new Map()
  constructor(private readonly x: X) { super() }
  protected abstract draw(): void
  private hide() {}
}
interface Drawable extends Base<Props> { draw(): void; size: number }
export enum Color { Red, Green = 2 }
type Id = string | number
namespace geo { export function area(): number { return 1 } }
declare function external(a: string): void
export default function App() { return <View id={1}><ns.Item /><div /></View> }
""",
        symbols="class View 3-8|variable View.cache 4-4|method View.constructor 5-5|method View.draw 6-6"
        "|method View.hide 7-7|interface Drawable 9-9|method Drawable.draw 9-9|enum Color 10-10"
        "|constant Color.Red 10-10|constant Color.Green 10-10|type Id 11-11|module geo 12-12"
        "|function geo.area 12-12|function external 13-13|function App 14-14",
        calls="View None Map|View.constructor None super|App None View|App ns Item",
        imports="./types Props None|q None q",
        inherits="View React.Component|View Drawable|View ns.Sized|Drawable Base",
        exported="View View.constructor View.draw Color Color.Red Color.Green geo.area App",
    ),
    Case(
        "rust",
        """//! Keeps stock.
mod shelf;
use crate::a::{self, b::{c as d, E}, /* all */ f::*};
use std::io;

/// One shelf.
/// Grows.
#[derive(Debug)]
pub struct Stock<T> { items: Vec<T> }

impl<T> Stock<T> {
    pub fn new() -> Self { Self { items: Vec::new() } }
    fn grow(&mut self) { self.items.push(make::<T>(1)); }
}
impl<T> fmt::Display for Stock<T> {
    fn fmt(&self) -> Result { write!(f, "{}", self.total(2)) }
}
pub trait Store: Base + Other<u8> { fn get(&self); fn put(&self) { self.get() } }
pub enum Kind { Small, Big(u8) }
type Id = u32;
const LIMIT: usize = 3;
macro_rules! shelf { () => {} }

#[cfg(test)]
mod tests {
    use super::*;
    fn helper() {}
    #[test]
    fn grows() { assert_eq!(helper(), 1); }
}
#[tokio::test]
async fn alone() {}
""",
        symbols="struct Stock 8-9|method Stock.new 12-12|method Stock.grow 13-13|method Stock.fmt 16-16"
        "|trait Store 18-18|method Store.get 18-18|method Store.put 18-18|enum Kind 19-19|constant Kind.Small 19-19"
        "|constant Kind.Big 19-19|type Id 20-20|constant LIMIT 21-21|macro shelf 22-22|module tests 24-30"
        "|function tests.helper 27-27|function tests.grows 28-29|function alone 31-32",
        calls="Stock.new None Self|Stock.new Vec new|Stock.grow self.items push|Stock.grow None make"
        "|Stock.fmt None write|Stock.fmt self total|Store.put self get|tests.grows None assert_eq"
        "|tests.grows None helper",
        imports="self::shelf None None|crate::a None None|crate::a::b c d|crate::a::b E None|crate::a::f * None"
        "|std io None|super * None",
        inherits="Stock fmt::Display|Store Base|Store Other",
        docs={"mod": "Keeps stock.", "Stock": "One shelf.\nGrows."},
        exported="Stock Stock.new Store Store.get Store.put Kind Kind.Small Kind.Big",
        tests="tests tests.helper tests.grows alone",
    ),
    Case(
        "go",
        """// Package stock keeps.
package stock

import (
	"fmt"
	t "text/template"
	. "math"
)

// Stock is one shelf.
type Stock struct {
	Base
	*log.Logger
	items []int
}
type Store interface { io.Reader; Get(k string) int }
type ID int

const Limit, low = 3, 1

var state = New(1)

func New[T any](n T) *Stock { return &Stock{items: make([]int, 1)} }

func (s *Stock) grow() { s.items.add(t.Parse(1)); func() { fmt.Println() }() }
func TestGrow(t *testing.T) { helper() }
func TestValue(v int) {}
""",
        symbols="struct Stock 11-15|interface Store 16-16|method Store.Get 16-16|type ID 17-17|constant Limit 19-19"
        "|constant low 19-19|variable state 21-21|function New 23-23|method Stock.grow 25-25|function TestGrow 26-26"
        "|function TestValue 27-27",
        calls="mod None New|New None Stock|New None make|Stock.grow s.items add|Stock.grow t Parse"
        "|Stock.grow fmt Println|TestGrow None helper",
        imports="fmt None None|text/template None t|math * None",
        inherits="Stock Base|Stock log.Logger|Store io.Reader",
        docs={"mod": "Package stock keeps.", "Stock": "Stock is one shelf."},
        exported="Stock Store Store.Get ID Limit New TestGrow TestValue",
        tests="TestGrow",
    ),
    Case(
        "java",
        """package shop;
import java.util.List;
import static org.junit.Assert.*;

/**
 * One shelf.
 */
@Component("x")
public class Stock<T> extends Base<T> implements Store, java.io.Closeable {
  private static final int LIMIT = 3;
  public Stock(int n) { super(n); this.grow(new ArrayList<T>()); }
  @Override public void grow(List<T> items) { items.forEach(Stock::show); helper(); }
  void hidden() {}
  enum Kind { SMALL, BIG { void x() {} } }
  interface Inner { void get(); }
  record Pair(int a, int b) {}
  @Test void grows() {}
}
""",
        symbols="class Stock 8-18|variable Stock.LIMIT 10-10|method Stock.Stock 11-11|method Stock.grow 12-12"
        "|method Stock.hidden 13-13|enum Stock.Kind 14-14|constant Stock.Kind.SMALL 14-14"
        "|constant Stock.Kind.BIG 14-14|method Stock.Kind.BIG.x 14-14|interface Stock.Inner 15-15"
        "|method Stock.Inner.get 15-15|class Stock.Pair 16-16|method Stock.grows 17-17",
        calls="Stock.Stock None super|Stock.Stock this grow|Stock.Stock None ArrayList|Stock.grow items forEach"
        "|Stock.grow Stock show|Stock.grow None helper",
        imports="java.util List None|org.junit.Assert * None",
        inherits="Stock Base|Stock Store|Stock java.io.Closeable",
        docs={"Stock": "One shelf."},
        exported="Stock Stock.Stock Stock.grow",
        tests="Stock.grows",
    ),
    Case(
        "c",
        """#include <stdio.h>
#include "shelf.h"
#define LIMIT 3
#define GUARD
#define TWICE(x) ((x) * 2)
struct shelf { int size; };
typedef struct { int a; } pair;
typedef struct node { int a; } node;
typedef int (*handler)(int);
enum kind { SMALL, BIG };
int declared(int);
static int count = 0;

/* Grows a shelf. */
static struct shelf **grow(struct shelf *s) {
  int local = 1;
  s->notify(s);
  return make(TWICE(2));
}
#ifdef A
int split(int a) {
#else
int split(long a) {
#endif
  return declared(a);
}
int after(void) { return 1; }
""",
        symbols="constant LIMIT 3-3|macro TWICE 5-5|struct shelf 6-6|struct pair 7-7|struct node 8-8|type handler 9-9"
        "|enum kind 10-10|constant kind.SMALL 10-10|constant kind.BIG 10-10|variable count 12-12|function grow 15-19"
        "|function split 21-26|function after 27-27",
        calls="grow s notify|grow None make|grow None TWICE|split None declared",
        imports="stdio.h None None|shelf.h None None",
        docs={"grow": "Grows a shelf."},
    ),
    Case(
        "cpp",
        """#include "stock.hpp"
using namespace std;
namespace shop::inner {
// One shelf.
template <typename T>
class SHOP_API Stock : public Base<T>, private ns::Store {
 public:
  Stock() : size(1) {}
  virtual int get() = 0;
  int declared();
  bool operator==(const Stock& o) const { return this->same(o); }
  operator bool() const { return true; }
};
}
template <> struct Pair<int> {};
enum class Kind { Small };
int shop::inner::Stock<int>::declared() { return helper<int>(std::max(1, 2)); }
Stock::~Stock() { delete new Item(1); }
TEST(Stock, Grows) { EXPECT_EQ(f(1), 2); }
""",
        symbols="module shop.inner 3-14|class shop.inner.Stock 5-13|method shop.inner.Stock.Stock 8-8"
        "|method shop.inner.Stock.get 9-9|method shop.inner.Stock.operator== 11-11"
        "|method shop.inner.Stock.operator bool 12-12|struct Pair 15-15|enum Kind 16-16|constant Kind.Small 16-16"
        "|method shop.inner.Stock.declared 17-17|method Stock.~Stock 18-18|function TEST 19-19",
        calls="shop.inner.Stock.operator== this same|shop.inner.Stock.declared None helper"
        "|shop.inner.Stock.declared std max|Stock.~Stock None Item|TEST None EXPECT_EQ|TEST None f",
        imports="stock.hpp None None|std None None",
        inherits="shop.inner.Stock Base|shop.inner.Stock ns::Store",
        docs={"shop.inner.Stock": "One shelf."},
        tests="TEST",
    ),
    Case(
        "csharp",
        """using System;
using IO = System.IO;
namespace Shop {
  /// <summary>One shelf.</summary>
  [Serializable]
  public class Stock<T> : Base<T>, IStore {
    private const int Limit = 3;
    public string Name { get; set; }
    public Stock() : base(1) { this.Grow(new Item()); }
    async Task Grow(Item i) { await i.Save<int>(); other?.Run(); int Local() => Helper(); }
    public static bool operator ==(Stock a, Stock b) => true;
  }
  interface IStore { void Get(); }
  struct Point { }
  enum Kind { Small }
  record Pair(int A);
  delegate void Done();
  [TestFixture] class Tests { [Test] public void Grows() { } }
}
""",
        symbols="module Shop 3-19|class Shop.Stock 5-12|constant Shop.Stock.Limit 7-7|variable Shop.Stock.Name 8-8"
        "|method Shop.Stock.Stock 9-9|method Shop.Stock.Grow 10-10|function Shop.Stock.Grow.Local 10-10"
        "|method Shop.Stock.operator == 11-11|interface Shop.IStore 13-13|method Shop.IStore.Get 13-13"
        "|struct Shop.Point 14-14|enum Shop.Kind 15-15|constant Shop.Kind.Small 15-15|class Shop.Pair 16-16"
        "|type Shop.Done 17-17|class Shop.Tests 18-18|method Shop.Tests.Grows 18-18",
        calls="Shop.Stock.Stock this Grow|Shop.Stock.Stock None Item|Shop.Stock.Grow i Save"
        "|Shop.Stock.Grow other Run|Shop.Stock.Grow.Local None Helper",
        imports="System None None|System.IO None IO",
        inherits="Shop.Stock Base|Shop.Stock IStore",
        exported="Shop.Stock Shop.Stock.Name Shop.Stock.Stock Shop.Stock.operator == Shop.Tests.Grows",
        tests="Shop.Tests Shop.Tests.Grows",
    ),
    Case(
        "ruby",
        """require 'json'
require_relative "shelf"
module Shop
  # One shelf.
  class Stock < Base::Store
    include Comparable
    attr_reader :size
    LIMIT = 3
    def initialize(name)
      @items = make(name)
      refresh
    end
    def self.load(path) = JSON.parse(path)
    private def hidden?; end
  end
end
class StockTest < Minitest::Test
  def test_grows; end
end
""",
        symbols="module Shop 3-16|class Shop.Stock 5-15|variable Shop.Stock.size 7-7|constant Shop.Stock.LIMIT 8-8"
        "|method Shop.Stock.initialize 9-12|method Shop.Stock.load 13-13|method Shop.Stock.hidden? 14-14"
        "|class StockTest 17-19|method StockTest.test_grows 18-18",
        calls="mod None require|mod None require_relative|Shop.Stock None include|Shop.Stock None attr_reader"
        "|Shop.Stock.initialize None make|Shop.Stock.initialize None refresh|Shop.Stock.load JSON parse"
        "|Shop.Stock None private",
        imports="json None None|./shelf None None",
        inherits="Shop.Stock Base::Store|Shop.Stock Comparable|StockTest Minitest::Test",
        docs={"Shop.Stock": "One shelf."},
        tests="StockTest StockTest.test_grows",
    ),
    Case(
        "php",
        """<?php
namespace Shop;
use Lib\\{Store, Base as Root};
use function Lib\\make;
require_once 'shelf.php';
/** One shelf. */
#[Entity]
final class Stock extends Root implements Store { use Countable;
  const LIMIT = 3;
  private $items = [];
  public function __construct() { parent::__construct(); $this->grow(new Item()); self::load(); }
  private function grow($i) { return make($i); }
}
interface Store { public function get(); }
trait Countable {}
enum Kind: string { case Small = 's'; }
function top() {}
class StockTest extends TestCase { public function testGrows() {} }
""",
        symbols="class Stock 7-13|constant Stock.LIMIT 9-9|variable Stock.items 10-10|method Stock.__construct 11-11"
        "|method Stock.grow 12-12|interface Store 14-14|method Store.get 14-14|trait Countable 15-15|enum Kind 16-16"
        "|constant Kind.Small 16-16|function top 17-17|class StockTest 18-18|method StockTest.testGrows 18-18",
        calls="Stock.__construct parent __construct|Stock.__construct $this grow|Stock.__construct None Item"
        "|Stock.__construct self load|Stock.grow None make",
        imports="Lib Store None|Lib Base Root|Lib make None|shelf.php None None",
        inherits="Stock Root|Stock Store|Stock Countable|StockTest TestCase",
        docs={"Stock": "One shelf."},
        tests="StockTest StockTest.testGrows",
    ),
    Case(
        "bash",
        """#!/bin/bash
source ./lib.sh
LIMIT=3
# Grows.
grow() {
  local x=1
  helper "$x" | tee log
}
function other { y=$(grow); }
""",
        symbols="constant LIMIT 3-3|function grow 5-8|function other 9-9",
        calls="mod None source|grow None helper|grow None tee|other None grow",
        imports="./lib.sh None None",
        docs={"grow": "Grows."},
    ),
    Case(
        "kotlin",
        """package shop
import lib.Store
import lib.Base as Root
import lib.all.*

/** One shelf. */
@Entity
data class Stock<T>(val size: Int) : Root(size), Store<T> {
    val items = make(1)
    companion object {
        const val LIMIT = 3
    }
    private fun grow(): Int {
        items.add(Item())
        return 1
    }
}
interface Store<T> {
    fun get(): T
}
enum class Kind { SMALL }
object Only
fun Stock.extra() = helper()
typealias Id = Int

class StockTest {
    @Test
    fun `it grows`() {}
}
""",
        symbols="class Stock 7-17|variable Stock.items 9-9|variable Stock.LIMIT 11-11|method Stock.grow 13-16"
        "|interface Store 18-20|method Store.get 19-19|enum Kind 21-21|constant Kind.SMALL 21-21|class Only 22-22"
        "|method Stock.extra 23-23|type Id 24-24|class StockTest 26-29|method StockTest.it grows 27-28",
        calls="Stock None Root|Stock None make|Stock.grow items add|Stock.grow None Item|Stock.extra None helper",
        imports="lib Store None|lib Base Root|lib.all * None",
        inherits="Stock Root|Stock Store",
        docs={"Stock": "One shelf."},
        tests="StockTest.it grows",
    ),
    Case(
        "swift",
        """import Foundation

/// One shelf.
@objc public class Stock: Base, Store {
  let size = 1
  init(n: Int) { super.init() }
  private func grow() { items.add(Item(1)) }
}
protocol Store { func get() }
struct Point {}
enum Kind { case small, big }
extension Stock: Countable { func extra() { helper() } }
func top() {}
class StockTests: XCTestCase { func testGrows() {} }
""",
        symbols="class Stock 4-8|variable Stock.size 5-5|method Stock.init 6-6|method Stock.grow 7-7"
        "|interface Store 9-9|method Store.get 9-9|struct Point 10-10|enum Kind 11-11|constant Kind.small 11-11"
        "|constant Kind.big 11-11|method Stock.extra 12-12|function top 13-13|class StockTests 14-14"
        "|method StockTests.testGrows 14-14",
        calls="Stock.init super init|Stock.grow items add|Stock.grow None Item|Stock.extra None helper",
        imports="Foundation None None",
        inherits="Stock Base|Stock Store|Stock Countable|StockTests XCTestCase",
        docs={"Stock": "One shelf."},
        tests="StockTests StockTests.testGrows",
    ),
    Case(
        "scala",
        """package shop
import lib.{Store, Base => Root, _}
import lib.only.One

/** One shelf. */
class Stock[T](val size: Int) extends Root(size) with Store[T] {
  val items = make(1)
  private def grow(): Int = { items.add(new Item(2)); helper[T](1) }
}
object Stock { def load(path: String): Stock = ??? }
trait Store { def get: Int }
class StockSuite extends AnyFunSuite { test("grows") { run() } }
""",
        symbols="class Stock 6-9|variable Stock.items 7-7|method Stock.grow 8-8|class Stock 10-10"
        "|method Stock.load 10-10"
        "|trait Store 11-11|method Store.get 11-11|class StockSuite 12-12",
        calls="Stock None make|Stock.grow items add|Stock.grow None Item|Stock.grow None helper|StockSuite None test"
        "|StockSuite None run",
        imports="lib Store None|lib Base Root|lib * None|lib.only One None",
        inherits="Stock Root|Stock Store|StockSuite AnyFunSuite",
        docs={"Stock": "One shelf."},
        tests="StockSuite",
    ),
    Case(
        "lua",
        """local json = require("dkjson")
local M = {}
-- Grows.
function M.grow(a) helper(1); a.b.run(2) end
function M:shrink() self:grow(3) end
local function inner() end
M.late = function() end
local t = { get = function() end }
""",
        symbols="variable M 2-2|function M.grow 4-4|method M.shrink 5-5|function inner 6-6|function M.late 7-7"
        "|variable t 8-8|method t.get 8-8",
        calls="mod None require|M.grow None helper|M.grow a.b run|M.shrink self grow",
        imports="dkjson None json",
        docs={"M.grow": "Grows."},
    ),
    Case(
        "markdown",
        """Intro.

# Stock `keeper` #
text
## Use
```
# not a heading
```
> # quoted

Other
=====
More
text
----
### Deep
# C#
""",
        symbols="section Stock `keeper` 3-10|section Stock `keeper`.Use 5-10|section Other 11-16"
        "|section Other.More text 13-16|section Other.More text.Deep 16-16|section C# 17-17",
    ),
]


def read(case: Case) -> ParsedFile:
    return parse_source(case.language, case.source.encode(), "mod")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.language)
def test_symbols(case: Case) -> None:
    found = [f"{s.kind} {s.qualified_name} {s.start_line}-{s.end_line}" for s in read(case).symbols[1:]]
    assert sorted(found) == sorted(case.symbols.split("|"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.language)
def test_the_name_is_on_its_line_and_the_signature_holds_it(case: Case) -> None:
    lines = case.source.split("\n")
    for symbol in read(case).symbols[1:]:
        word = symbol.name.split()[-1].split(".")[-1].rstrip("`")
        assert word in " ".join(lines[symbol.line - 1 : symbol.end_line])
        assert word in symbol.signature


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.language)
def test_calls(case: Case) -> None:
    parsed = read(case)
    found = [f"{parsed.symbols[c.caller].qualified_name} {c.receiver} {c.name}" for c in parsed.calls]
    assert sorted(found) == sorted(filter(None, case.calls.split("|")))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.language)
def test_imports(case: Case) -> None:
    found = [f"{i.module} {i.name} {i.alias}" for i in read(case).imports]
    assert sorted(found) == sorted(filter(None, case.imports.split("|")))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.language)
def test_bases(case: Case) -> None:
    parsed = read(case)
    found = [f"{parsed.symbols[i.symbol].qualified_name} {i.base}" for i in parsed.inherits]
    assert sorted(found) == sorted(filter(None, case.inherits.split("|")))


@pytest.mark.parametrize("case", [c for c in CASES if c.docs], ids=lambda case: case.language)
def test_documentation(case: Case) -> None:
    docs = {s.qualified_name: s.doc for s in reversed(read(case).symbols)}
    assert {name: docs[name] for name in case.docs} == case.docs


@pytest.mark.parametrize("case", [c for c in CASES if c.exported], ids=lambda case: case.language)
def test_exported(case: Case) -> None:
    found = {s.qualified_name.replace(" ", "_") for s in read(case).symbols[1:] if s.exported}
    assert found == set(case.exported.replace("operator ==", "operator_==").split(" "))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.language)
def test_tests(case: Case) -> None:
    found = {s.qualified_name.replace(" ", "_") for s in read(case).symbols if s.is_test}
    assert found == set(case.tests.replace("it grows", "it_grows").split())


def test_members_outside_a_type_belong_to_it() -> None:
    for language, source, member in (
        ("rust", "struct S;\nimpl S { fn f() {} }", "S.f"),
        ("go", "package p\nfunc (s S) f() {}\ntype S struct{}", "S.f"),
        ("cpp", "class S { void f(); };\nvoid S::f() {}", "S.f"),
        ("javascript", "class S {}\nS.prototype.f = function () {}", "S.f"),
        ("swift", "class S {}\nextension S { func f() {} }", "S.f"),
    ):
        symbols = parse_source(language, source.encode(), "mod").symbols
        found = next(s for s in symbols if s.qualified_name == member)
        assert found.parent is not None
        assert symbols[found.parent].name == "S", language


@pytest.mark.parametrize(
    "call", ["describe('x', () => {})", "test.each([1])('x', () => {})", "it(`x`, function () {})"]
)
def test_a_script_that_runs_tests_is_one_as_a_whole(call: str) -> None:
    symbols = parse_source("typescript", f"function helper() {{}}\n{call}\n".encode(), "mod").symbols
    assert all(s.is_test for s in symbols)


def test_a_comment_after_code_does_not_document_the_next_line() -> None:
    source = "int a = 1; // of a\nint b = 2;\n\n/* of c */ int c;\nint d;\n"
    docs = {s.name: s.doc for s in parse_source("c", source.encode(), "mod").symbols}
    assert (docs["b"], docs["d"]) == ("", "")


def test_annotations_lead_a_definition_wherever_they_stand() -> None:
    source = "@A\n@B(1)\nclass X {\n  @C() @D\n  m() {}\n  @E({\n    f: 1\n  }) n() {}\n}\n"
    lines = {s.name: (s.start_line, s.line) for s in parse_source("typescript", source.encode(), "mod").symbols}
    assert (lines["X"], lines["m"], lines["n"]) == ((1, 3), (4, 5), (6, 8))
