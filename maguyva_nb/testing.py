"""Public fakes: an explorer over a tiny codebase in memory, and a trace made by it. No index, no file, no model."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from maguyva_nb.config import Settings, load_settings
from maguyva_nb.errors import QueryError, UnknownSymbol
from maguyva_nb.reweigh import fused_results
from maguyva_nb.route import SearchOptions, choose_route
from maguyva_nb.tokens import identifiers, split_identifier
from maguyva_nb.types import (
    Absent,
    AbsentReason,
    ChunkCard,
    Classification,
    Impact,
    ImpactNode,
    Intent,
    Modality,
    Profile,
    Query,
    RankedHit,
    RankedList,
    SearchTrace,
    SearchWarning,
    Symbol,
    SymbolKind,
)

__all__ = ["FAKE_FILES", "FakeExplorer", "fake_trace"]

# Every function is one chunk; the file of tests is demoted as real test code is.
FAKE_FILES: Mapping[str, str] = {
    "shop/cart.py": (
        "class Cart:\n"
        '    """Things a customer wants to buy."""\n'
        "\n"
        "def total_price(cart):\n"
        '    """Sum of all prices in the cart, with tax."""\n'
        "    return sum(item.price for item in cart) * tax_rate()\n"
        "\n"
        "def empty_cart(cart):\n"
        "    cart.clear()\n"
    ),
    "shop/tax.py": "def tax_rate():\n    # one rate for every price\n    return 1.21\n",
    "shop/checkout.py": "def pay(cart, card):\n    return card.charge(total_price(cart))\n",
    "tests/test_cart.py": "def test_total_price():\n    assert total_price([]) == 0\n",
}
# caller -> callee, by name.
_CALLS = (("total_price", "tax_rate"), ("pay", "total_price"), ("test_total_price", "total_price"))
_DEMOTED = (("test", 0.6),)


class FakeExplorer:
    """Offers what ``maguyva_nb.engine.Explorer`` offers, over ``FAKE_FILES``.

    Ranks by plain word counts, but routes and fuses with the real rules. ``broken`` modalities fail;
    ``classification`` is what every query is taken for; ``searches`` counts the calls of ``search``.
    """

    def __init__(
        self,
        *,
        settings: Settings | None = None,
        classification: Classification | None = None,
        broken: Collection[Modality] = (),
        files: Mapping[str, str] = FAKE_FILES,
    ) -> None:
        self.settings = settings or load_settings()
        self.source = Path("fake")
        self.classification = classification or Classification(Intent.UNDERSTAND_CODE, 0.75, "question", None)
        self.broken = frozenset(broken)
        self.files = dict(files)
        self.searches = 0
        self._symbols = _symbols(self.files)
        self._paths = list(self.files)

    def search(self, text: str, options: SearchOptions | None = None) -> SearchTrace:
        """One search with the real routing and fusion over the fake lists."""
        if not text.strip():
            raise QueryError("The query is empty.", next="Type some words.")
        self.searches += 1
        options = options or SearchOptions()
        profile = options.profile
        if not isinstance(profile, Profile):
            profile = self.settings.profile(profile or self.settings.search.profile)
        route = choose_route(self.classification, profile, options, self.settings)
        lists: dict[Modality, RankedList | Absent] = {m: Absent(reason) for m, reason in route.absent.items()}
        lists |= {m: self._list(m, text) for m in route.weights}
        cards = {s.chunk_id: self._card(s) for s in self._symbols}
        fusion = self.settings.fusion.settings(route.k, options.max_per_file)
        failed = [m for m in route.weights if isinstance(lists[m], Absent)]
        return SearchTrace(
            query=Query(text),
            classification=self.classification,
            preset=options.preset or self.settings.search.preset,
            strategy=route.strategy,
            weights=route.weights,
            profile=profile,
            lists={m: lists[m] for m in Modality},
            cards=cards,
            fusion=fusion,
            pagerank_max=0.5,
            symbol_count=len(self._symbols),
            results=fused_results(lists, route.weights, cards, fusion, route.strategy, 0.5, len(self._symbols)),
            warnings=tuple(SearchWarning("modality_failed", f"{m} failed: broken on purpose") for m in failed),
        )

    def complete(self, trace: SearchTrace, modalities: Collection[Modality] | None = None) -> SearchTrace:
        """The missing lists, except failed ones unless they are asked for."""
        lists = dict(trace.lists)
        for modality, found in trace.lists.items():
            failed = isinstance(found, Absent) and found.reason is AbsentReason.FAILED
            if isinstance(found, Absent) and (not failed if modalities is None else modality in modalities):
                lists[modality] = self._list(modality, trace.query.raw)
        return replace(trace, lists=lists)

    def symbols_of(self, chunk_id: int) -> tuple[Symbol, ...]:
        """The one symbol of a chunk."""
        return tuple(s for s in self._symbols if s.chunk_id == chunk_id)

    def symbol_impact(self, symbol_id: int, *, depth: int | None = None) -> Impact:
        """Callers of the symbol, and theirs."""
        target = self._symbols[symbol_id]
        found: dict[int, tuple[int, ...]] = {symbol_id: (symbol_id,)}
        frontier = [symbol_id]
        while frontier and (depth is None or len(found[frontier[0]]) <= depth):
            reached = [(s.symbol_id, one) for one in frontier for s in self._callers(one) if s.symbol_id not in found]
            found |= {caller: (*found[one], caller) for caller, one in reached}
            frontier = [caller for caller, _ in reached]
        nodes = [self._node(self._symbols[i], len(path) - 1) for i, path in found.items()]
        sites = sum(callee == target.name for _, callee in _CALLS)
        return Impact(
            symbol=nodes[0],
            candidates=(),
            reached=tuple(nodes[1:]),
            paths={i: path for i, path in found.items() if i != symbol_id},
            files=len({n.path for n in nodes[1:]}),
            lines=len(nodes) - 1,
            sites_total=sites + 1,
            unresolved_sites=1,
        )

    def impact(self, symbol: str, *, depth: int | None = None) -> Impact:
        """The blast radius of a symbol by name."""
        for one in self._symbols:
            if one.name == symbol:
                return self.symbol_impact(one.symbol_id, depth=depth)
        raise UnknownSymbol(symbol, [])

    def file_text(self, path: str) -> str:
        """The text of a file."""
        return self.files[path]

    def language(self, path: str) -> str | None:
        """Python, whatever the fake file."""
        return "python" if path in self.files else None

    def summary(self) -> dict[str, int]:
        """Counts of the fake codebase."""
        symbols = len(self._symbols)
        return {"files": len(self.files), "chunks": symbols, "symbols": symbols, "edges": len(_CALLS)}

    def _list(self, modality: Modality, text: str) -> RankedList | Absent:
        if modality in self.broken:
            return Absent(AbsentReason.FAILED, "broken on purpose")
        words = _words(text)
        scored = [(self._score(modality, s, words), s.symbol_id) for s in self._symbols]
        found = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1]))
        return RankedList(modality, tuple(RankedHit(i, float(score), i) for score, i in found))

    def _score(self, modality: Modality, symbol: Symbol, words: set[str]) -> int:
        body = self._text(symbol)
        if modality is Modality.GRAPH:
            return sum(len(words & _words(caller.name)) for caller in self._callers(symbol.symbol_id))
        texts = {Modality.SEMANTIC: symbol.name + symbol.doc, Modality.TEXT: body, Modality.STRUCTURAL: symbol.name}
        return len(words & _words(texts[modality]))

    def _text(self, symbol: Symbol) -> str:
        lines = self.files[self._paths[symbol.file_id]].split("\n")
        return "\n".join(lines[symbol.start_line - 1 : symbol.end_line])

    def _callers(self, symbol_id: int) -> list[Symbol]:
        names = {caller for caller, callee in _CALLS if callee == self._symbols[symbol_id].name}
        return [s for s in self._symbols if s.name in names]

    def _card(self, symbol: Symbol) -> ChunkCard:
        return ChunkCard(
            chunk_id=symbol.chunk_id,
            path=self._paths[symbol.file_id],
            start_line=symbol.start_line,
            end_line=symbol.end_line,
            symbol=symbol.qualified_name,
            kind=symbol.kind,
            is_test=symbol.is_test,
            pagerank=0.1 * len(self._callers(symbol.symbol_id)),
            in_degree=len(self._callers(symbol.symbol_id)),
            demotions=_DEMOTED if symbol.is_test else (),
        )

    def _node(self, symbol: Symbol, depth: int) -> ImpactNode:
        return ImpactNode(
            symbol_id=symbol.symbol_id,
            path=self._paths[symbol.file_id],
            line=symbol.line,
            name=symbol.name,
            qualified_name=symbol.qualified_name,
            kind=symbol.kind,
            depth=depth,
            confidence=0.9**depth,
            edge="calls" if depth else None,
            is_test=symbol.is_test,
        )


def fake_trace(query: str = "total price with tax", *, preset: str = "thorough", k: int | None = None) -> SearchTrace:
    """A trace with four lists, several contributions to a result, and a demoted test."""
    return FakeExplorer().search(query, SearchOptions(preset=preset, k=k))


def _words(text: str) -> set[str]:
    return {part for word in identifiers(text) for part in split_identifier(word)}


def _symbols(files: Mapping[str, str]) -> list[Symbol]:
    """One symbol for each ``def`` or ``class``; its id is that of its chunk."""
    found: list[Symbol] = []
    for file_id, (path, text) in enumerate(files.items()):
        rows = text.removesuffix("\n").split("\n")
        starts = [i for i, line in enumerate(rows) if line.startswith(("def ", "class "))]
        for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
            number, name = len(found), identifiers(rows[start])[1]
            kind = SymbolKind.CLASS if rows[start].startswith("class") else SymbolKind.FUNCTION
            doc = rows[start + 1].strip(' "') if '"""' in "".join(rows[start + 1 : start + 2]) else ""
            test = path.startswith("tests/")
            found.append(
                Symbol(
                    number,
                    file_id,
                    number,
                    None,
                    name,
                    name,
                    kind,
                    rows[start],
                    doc,
                    start + 1,
                    start + 1,
                    end,
                    True,
                    test,
                )
            )
    return found
