export function render({ model }) {
  const root = make("section", "code");
  let where = null;
  keepKeys(root);

  const lineNode = (pieces, number, code) => {
    const inside = number >= code.start && number <= code.end;
    const text = make("span", "text");
    for (const [css, value, hit] of pieces) put(text, make(hit ? "mark" : "span", css, value));
    return put(make("div", inside ? "line inside" : "line", null, { "data-line": number }), make("span", "number", number), text);
  };

  const more = (side, count) =>
    count > 0 ? put(make("div", "more"), button(`Show more ${side} (${count} lines)`, () => model.send_msg({ type: side }))) : null;

  const paint = () => {
    const code = shown(model, "code");
    if (code === null) {
      where = null;
      root.replaceChildren(make("h3", "", "Source"), make("div", "empty", "Choose a result to read its code."));
      return;
    }
    const old = root.querySelector(".lines");
    const kept = old && where === code.where ? { top: old.scrollTop, height: old.scrollHeight, first: Number(old.dataset.first) } : null;
    const lines = make("div", "lines mono", null, { tabindex: "0", "aria-label": `Source of ${code.where}`, "data-first": code.first });
    const drawn = code.lines.map((pieces, i) => lineNode(pieces, code.first + i, code));
    put(lines, more("above", code.above), ...drawn, more("below", code.below));
    root.replaceChildren(
      put(
        make("header"),
        make("h3", "", "Source"),
        make("span", "where mono grow", code.where, { title: code.where }),
        make("span", "muted", code.language),
        copyButton(code.where),
      ),
      lines,
    );
    where = code.where;
    requestAnimationFrame(() => {
      if (kept) lines.scrollTop = kept.top + (code.first < kept.first ? lines.scrollHeight - kept.height : 0);
      else {
        const first = lines.querySelector(".inside");
        if (first) lines.scrollTop = first.offsetTop - lines.offsetTop - 40;
      }
    });
  };
  model.on("code", paint);
  paint();
  return root;
}
