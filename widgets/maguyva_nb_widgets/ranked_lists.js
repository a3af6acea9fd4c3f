const split = (where) => {
  const cut = where.lastIndexOf("/") + 1;
  return [where.slice(0, cut), where.slice(cut)];
};

const placeLine = (row) => {
  const [folder, file] = split(row.where);
  return put(make("div", "place mono", null, { title: row.where }), make("span", "folder", folder), make("span", "file", file));
};

const rowNode = (row, column) =>
  make("div", "row", null, {
    role: "option",
    tabindex: "-1",
    "aria-selected": "false",
    "data-chunk": row.chunk,
    "data-column": column,
    "data-rank": row.rank ?? "",
  });

const headLine = (row, ...after) =>
  put(
    make("div", "line"),
    make("span", "rank", row.rank),
    make("span", "symbol mono grow", row.symbol, { title: `${row.kind} ${row.symbol}` }),
    ...after,
  );

const onlyChip = (text) => make("span", "chip only", text, { title: "No other list found it" });

const listRow = (row, column) => {
  const node = rowNode(row, column);
  if (row.why) node.title = row.why;
  const head = headLine(row, row.only ? onlyChip("only") : null, make("span", "score", row.score));
  return put(node, head, put(placeLine(row), make("span", "fusedrank")));
};

const bar = (row) =>
  put(
    make("div", "bar", null, { role: "img", "aria-label": row.parts.map((p) => `${p.label} ${p.value.toFixed(5)}`).join(", ") }),
    ...row.parts.map((part) =>
      make("span", `part ${part.modality}`, null, { style: `width:${part.width}%`, title: `${part.label}: ${part.formula}` }),
    ),
  );

const ledger = (row) =>
  put(
    make("div", "ledger"),
    ...row.parts.map((part) =>
      put(
        make("span", `term ${part.modality}`, null, {
          title: part.formula,
          "data-modality": part.modality,
          "data-value": part.value,
        }),
        make("b", "", part.label.toLowerCase()),
        document.createTextNode(` #${part.rank} `),
        make("span", "value", part.value.toFixed(5)),
      ),
    ),
    ...row.factors.map((factor) => make("span", "chip", factor, { title: "Demotion, already in the values" })),
  );

const foldedRows = (row) => {
  if (!row.folded.length) return null;
  const details = make("details", "folded");
  const more = row.folded.length === 1 ? "1 more place" : `${row.folded.length} more places`;
  put(details, make("summary", "", `${more} in this file`));
  details.addEventListener("click", (event) => event.stopPropagation());
  for (const one of row.folded) {
    const node = rowNode(one, "folded");
    put(details, put(node, put(make("div", "line"), make("span", "symbol mono grow", one.symbol), make("span", "score", one.score.toFixed(5)))));
    put(node, placeLine(one));
  }
  return details;
};

const fusedRow = (row) =>
  put(
    rowNode(row, "fused"),
    headLine(
      row,
      row.only ? onlyChip(`${row.only} only`) : null,
      make("span", "kind muted", row.kind),
      make("span", "score", row.score.toFixed(5), { "data-score": row.score }),
    ),
    placeLine(row),
    bar(row),
    ledger(row),
  );

export function render({ model, el }) {
  const root = make("div", "columns");
  const depth = new Map();
  keepKeys(root);

  const body = (key, rows, draw) => {
    const list = make("div", "rows", null, { role: "listbox", "aria-label": key, "data-list": key });
    const count = depth.get(key) ?? shown(model, "first_rows");
    for (const row of rows.slice(0, count)) {
      put(list, draw(row, key));
      const folded = row.folded ? foldedRows(row) : null;
      if (folded) put(list, folded);
    }
    if (rows.length > count) {
      const more = button(`Show ${rows.length - count} more`, () => {
        depth.set(key, rows.length);
        paint();
      });
      put(list, put(make("div", "empty"), more));
    }
    const first = list.querySelector(".row");
    if (first) first.tabIndex = 0;
    return list;
  };

  const absentBody = (column) => {
    const box = put(make("div", "empty"), make("div", "", column.said));
    if (column.message) put(box, make("div", "mono", column.message));
    if (shown(model, "filling")) return put(box, make("div", "", "Running it now …", { role: "status" }));
    const run = () => model.send_msg({ type: "run", modality: column.modality });
    return put(box, button(column.offer, run));
  };

  const listColumn = (column) => {
    const node = make("section", `column ${column.modality}`, null, { "data-column": column.modality });
    const head = put(make("header"), make("span", "swatch"), make("h3", "grow", column.label));
    const failed = column.absent === "failed";
    if (failed) put(head, make("span", "chip bad", "failed"));
    else if (column.weight > 0) put(head, make("span", "muted", `weight ${column.weight}`));
    else if (!column.absent) put(head, make("span", "chip", "not fused", { title: "Give it a weight to fuse it" }));
    put(node, head);
    if (column.absent) return put(node, absentBody(column));
    const cut = column.total > column.rows.length ? `first ${column.rows.length} of ${column.total}` : `${column.total} found`;
    const facts = `${cut} · ${column.ms} ms${column.note ? ` · ${column.note}` : ""}`;
    put(node, make("div", "facts muted", facts, { title: facts }));
    if (!column.rows.length) return put(node, make("div", "empty", "Nothing found. Try other words, or another preset."));
    return put(node, body(column.modality, column.rows, listRow));
  };

  const fusedColumn = (fused) => {
    const node = make("section", "column fused", null, { "data-column": "fused" });
    put(node, put(make("header"), make("h3", "grow", "Fused"), make("span", "muted", "score = sum of its parts")));
    const cut = fused.total > fused.rows.length ? `first ${fused.rows.length} of ${fused.total} · ` : "";
    put(node, make("div", "facts muted", cut + fused.route, { title: cut + fused.route }));
    if (!fused.rows.length) {
      return put(node, make("div", "empty", "No result. Use other words, give a weight above 0, or take the preset thorough."));
    }
    return put(node, body("fused", fused.rows, fusedRow));
  };

  const markFusedRanks = (fused) => {
    const ranks = new Map(fused.rows.map((row) => [String(row.chunk), row.rank]));
    for (const row of root.querySelectorAll(".row")) {
      const rank = ranks.get(row.dataset.chunk);
      const label = row.querySelector(".fusedrank");
      if (label && rank) {
        label.textContent = `→ ${rank}`;
        label.title = `Rank ${rank} in the fused list`;
      }
    }
  };

  const markChosen = () => {
    const chosen = String(shown(model, "chosen"));
    for (const row of root.querySelectorAll(".row")) {
      row.setAttribute("aria-selected", String(row.dataset.chunk === chosen));
    }
  };

  const places = () => {
    const focus = root.getRootNode().activeElement;
    return {
      scroll: new Map([...root.querySelectorAll(".rows")].map((list) => [list.dataset.list, list.scrollTop])),
      focus: focus?.classList?.contains("row") ? { ...focus.dataset } : null,
    };
  };

  const restore = ({ scroll, focus }) => {
    for (const list of root.querySelectorAll(".rows")) list.scrollTop = scroll.get(list.dataset.list) ?? 0;
    if (focus) root.querySelector(`.row[data-column="${focus.column}"][data-chunk="${focus.chunk}"]`)?.focus();
  };

  const paint = () => {
    const fused = shown(model, "fused");
    const kept = places();
    if (fused === null) {
      root.replaceChildren(make("div", "empty start", "Search to see what each retriever finds, and how the lists become one."));
      return;
    }
    root.replaceChildren(...shown(model, "lists").map(listColumn), fusedColumn(fused));
    markFusedRanks(fused);
    markChosen();
    restore(kept);
  };

  const choose = (row) => row && model.send_msg({ type: "choose", chunk: Number(row.dataset.chunk) });

  const visibleRows = (list) => [...list.querySelectorAll(".row")].filter((row) => !row.closest("details:not([open])"));

  const step = (row, key) => {
    const list = row.closest(".rows");
    const rows = visibleRows(list);
    const at = rows.indexOf(row);
    if (key === "ArrowDown") return rows[at + 1];
    if (key === "ArrowUp") return rows[at - 1];
    if (key === "Home") return rows[0];
    if (key === "End") return rows[rows.length - 1];
    const lists = [...root.querySelectorAll(".rows")];
    const beside = lists[lists.indexOf(list) + (key === "ArrowRight" ? 1 : -1)];
    if (!beside) return null;
    const next = visibleRows(beside);
    return next[Math.min(at, next.length - 1)];
  };

  root.addEventListener("click", (event) => choose(event.target.closest(".row")));
  root.addEventListener("keydown", (event) => {
    const row = event.target.closest(".row");
    if (!row) return;
    if (event.key === "Enter" || event.key === " ") choose(row);
    else if (["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) {
      const next = step(row, event.key);
      if (next) {
        row.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  model.on("lists", paint);
  model.on("fused", paint);
  model.on("filling", paint);
  model.on("chosen", markChosen);
  paint();
  return root;
}
