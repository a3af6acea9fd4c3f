"""Plain text of traces and radii, for terminals and as reprs. Control characters of a codebase never get through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from maguyva_nb.embed.listing import EXTRA, HOW, ModelRow
from maguyva_nb.embed.registry import BUNDLED
from maguyva_nb.evaluate.records import Comparison, Difference, Evaluation, Summary
from maguyva_nb.types import (
    Absent,
    Classification,
    Contribution,
    FusedHit,
    Impact,
    ImpactNode,
    Modality,
    RankedList,
    SearchTrace,
    Strategy,
    Translation,
)

SHORT = {Modality.SEMANTIC: "sem", Modality.TEXT: "text", Modality.STRUCTURAL: "struct", Modality.GRAPH: "graph"}
# The columns of an evaluation's breakdown; the whole table would not fit a terminal.
BREAKDOWN = {
    "mrr": "mrr",
    "ndcg10": "ndcg10",
    "ndcg10_strict": "strict",
    "hit1": "hit1",
    "hit5": "hit5",
    "hit10": "hit10",
    "recall10": "rec10",
    "empty": "empty",
    "lines_per_result": "lines",
}
# Callers listed before the rest is only counted; the totals above them are always whole.
SHOWN_NODES = 20
# Symbols of one name answered at length; the others get a line each.
SHOWN_ANSWERS = 5
# Places of one result listed before the rest is only counted.
SHOWN_LINES = 8


def clean(text: str) -> str:
    """A codebase's text made safe for a terminal: control characters become visible escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def trace_lines(trace: SearchTrace, *, top: int) -> Iterator[str]:
    """Intent, route and results of a search, one line each."""
    yield from classification_lines(trace.classification)
    yield f"route    {trace.strategy} · preset {trace.preset} · k {trace.fusion.k} · {_weights_text(trace)}"
    if trace.filters:
        yield f"filters  {clean(' · '.join(trace.filters))}"
    if trace.expansion:
        yield f"spanish  {', '.join(_translation_text(term) for term in trace.expansion if term.english)}"
    if trace.embedder not in (None, BUNDLED):
        yield f"model    {clean(trace.embedder or '')}"
    yield "lists    " + "   ".join(_list_text(m, one) for m, one in trace.lists.items())
    for warning in trace.warnings:
        yield f"warning  {clean(warning.message)}"
    yield ""
    if not trace.results:
        yield "Nothing found. Try other words, the preset thorough, or a name in `backticks`."
    for rank, hit in enumerate(trace.results[:top]):
        yield from _hit_lines(rank, hit, trace)


def classification_lines(found: Classification) -> Iterator[str]:
    """The intent, the rule behind it, and what it names."""
    yield f"intent   {found.intent} {found.confidence:.2f} · rule {found.rule}"
    if found.target.text:
        way = f" ({found.target.direction})" if found.target.direction else ""
        yield f"target   {found.target.kind} {clean(found.target.text)}{way}"
    if found.note:
        yield f"note     {found.note}"


def impact_lines(impact: Impact) -> Iterator[str]:
    """What breaks if a symbol changes; totals first, then the nearest."""
    if impact.answers:
        ordered = sorted(impact.answers, key=lambda answer: -len(answer.reached))
        yield f"{len(ordered)} symbols have this name; each is answered by itself, the most depended on first."
        for answer in ordered[:SHOWN_ANSWERS]:
            yield ""
            yield from impact_lines(answer)
        for answer in ordered[SHOWN_ANSWERS:]:
            node = answer.candidates[0]
            yield f"{len(answer.reached):>6} dependants  {_node_text(node)}"
        return
    target = impact.candidates[0]
    direct = sum(node.depth == 1 for node in impact.reached)
    yield f"{clean(target.qualified_name)}  {target.kind}  {clean(target.path)}:{target.line}"
    transitive = len(impact.reached) - direct
    yield f"  {direct} direct, {transitive} transitive, in {impact.files} files and {impact.lines} lines"
    unknown = f"{impact.unresolved_sites} of {impact.sites_total} call sites of that name unresolved"
    yield f"  {unknown}{external_text(impact)}"
    for node in impact.reached[:SHOWN_NODES]:
        yield f"  {node.depth}  {node.confidence:.2f}  {node.edge or '':<10} {_node_text(node)}"
    if len(impact.reached) > SHOWN_NODES:
        yield f"  ... and {len(impact.reached) - SHOWN_NODES} more"


def evaluation_lines(run: Evaluation, comparison: Comparison | None = None) -> Iterator[str]:
    """Figures with intervals, differences from another run, and the breakdown, as aligned tables."""
    commit = f" · commit {run.commit[:12]}" if run.commit else ""
    yield f"{clean(run.query_set)} · {run.overall.n} queries · {run.level} level"
    yield f"{run.model} · config {run.config}{commit}"
    for warning in run.warnings:
        yield f"warning  {clean(warning.message)}"
    yield ""
    beside = f"   difference from {clean(comparison.other)} ({comparison.n} pairs)" if comparison else ""
    yield f"{'':<18}{'value':>7}   {'interval':<16}{beside}".rstrip()
    for name, one in run.overall.metrics.items():
        gap = f"   {_difference_text(comparison.metrics[name], name)}" if comparison else ""
        value, low, high = (_figure(number, name) for number in (one.value, one.low, one.high))
        yield f"{name:<18}{value:>7}   {low:>6} to {high:<6}{gap}".rstrip()
    groups_by_title = {
        "intent": run.by_intent,
        "language": run.by_lang if len(run.by_lang) > 1 else {},
        "category": run.by_category,
        "list alone": run.by_modality,
    }
    for title, groups in groups_by_title.items():
        if groups:
            yield ""
            yield f"{title:<18}{'n':>5}" + "".join(f"{short:>8}" for short in BREAKDOWN.values())
            yield from (f"{clean(name):<18}{_row_text(summary)}" for name, summary in groups.items())


def _difference_text(one: Difference, metric: str) -> str:
    if one.difference is None:
        return "no pair"
    verdict = f"p = {one.p:.4f}" if one.distinguishable else f"not distinguishable (p = {one.p:.2f})"
    low, high = _figure(one.low, metric), _figure(one.high, metric)
    return f"{one.difference:+.3f}   {low:>6} to {high:<6}   {verdict}"


def _row_text(summary: Summary) -> str:
    return f"{summary.n:>5}" + "".join(f"{_figure(summary.metrics[name].value, name):>8}" for name in BREAKDOWN)


def _figure(value: float | None, metric: str) -> str:
    """Three decimals, one for a number of lines."""
    return "-" if value is None else f"{value:.1f}" if metric == "lines_per_result" else f"{value:.3f}"


def _translation_text(term: Translation) -> str:
    also = f"{clean(term.word)} " if term.kept else ""
    return f"{clean(term.word)} -> {also}{' '.join(term.english)}"


def external_text(impact: Impact) -> str:
    """Says how many sites were taken for calls of other people's code: some may be of this symbol after all."""
    return f", {impact.external_sites} more taken for external" if impact.external_sites else ""


def _node_text(node: ImpactNode) -> str:
    return f"{clean(node.path)}:{node.line}  {clean(node.qualified_name)}" + ("  [test]" if node.is_test else "")


def _weights_text(trace: SearchTrace) -> str:
    if trace.strategy is not Strategy.RRF:
        return f"{next(iter(trace.weights))} alone"
    return " ".join(f"{SHORT[m]} {weight:g}" for m, weight in trace.weights.items())


def _list_text(modality: Modality, one: RankedList | Absent) -> str:
    what = f"{len(one.hits)}" if isinstance(one, RankedList) else f"({one.reason})"
    return f"{SHORT[modality]} {what}"


def models_lines(rows: Sequence[ModelRow], missing: Sequence[str]) -> Iterator[str]:
    """The embedders that are here, then the ways to others."""
    for row in rows:
        yield f"{clean(row.name):<40} {row.dimensions:>5} dimensions  {row.revision or row.note}"
    yield ""
    yield from (f"{way:<24} {said}" for way, said in HOW.items())
    if missing:
        yield f"Not installed: {', '.join(missing)}. {EXTRA}"


def _hit_lines(rank: int, hit: FusedHit, trace: SearchTrace) -> Iterable[str]:
    card = trace.cards[hit.chunk_id]
    name = f"{card.kind} {clean(card.symbol)}".strip()
    yield f"{rank + 1:>3}. {clean(card.path)}:{card.start_line}-{card.end_line}  {name}"
    parts = " + ".join(_part_text(part) for part in hit.contributions)
    demoted = "".join(f" x {factor:.2g} {name}" for name, factor in hit.factors)
    folded = f"   (+{len(hit.folded)} more in this file)" if hit.folded else ""
    yield f"     {hit.score:.5f} = {parts}{demoted}{folded}"
    if matched := _matched(hit, trace):
        yield f"     lines {matched}"


def _matched(hit: FusedHit, trace: SearchTrace) -> str:
    """The lines that matched a literal, a regular expression or a syntax pattern."""
    lists = ((trace.lists[part.modality], part.rank) for part in hit.contributions)
    lines = [span for one, rank in lists if isinstance(one, RankedList) for span in one.hits[rank].lines]
    shown = ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in lines[:SHOWN_LINES])
    return shown + (f" and {len(lines) - SHOWN_LINES} more" if len(lines) > SHOWN_LINES else "")


def _part_text(part: Contribution) -> str:
    return f"{SHORT[part.modality]} #{part.rank + 1} {part.value:.5f}"
