// Hues by depth, the target first; vis needs plain colours, so the browser computes them from the theme.
const DEPTHS = ["#2f7fb8", "#cf5c36", "#d9a21b", "#4f9d69", "#8a6fc0"];

export function render({ model }) {
  const root = make("section", "impact");
  const probe = make("span", "probe");
  const head = make("div", "head");
  const list = make("div", "list");
  const stage = make("div", "stage");
  let frame = null;
  let ready = false;
  keepKeys(root);

  const colour = (css) => {
    probe.style.color = css;
    return getComputedStyle(probe).color;
  };
  // Canvas and vis know rgb() but not color(srgb ...), which is what color-mix computes to.
  const plain = (css) => {
    const found = colour(css).match(/[\d.]+/g).map(Number);
    const scale = colour(css).startsWith("color(") ? 255 : 1;
    return `rgb(${found.slice(0, 3).map((v) => Math.round(v * scale)).join(",")})`;
  };
  const mix = (hue, share, other = "var(--mgv-bg)") => plain(`color-mix(in srgb, ${hue} ${share}%, ${other})`);
  const colours = () => ({
    bg: plain("var(--mgv-bg)"),
    fg: plain("var(--mgv-fg)"),
    line: plain("var(--mgv-line)"),
    edge: plain("var(--mgv-faint)"),
    depths: DEPTHS.map((hue) => ({ fill: mix(hue, 26), border: mix(hue, 80) })),
  });

  const draw = () => {
    const radius = shown(model, "radius");
    if (ready && radius) frame.contentWindow.postMessage({ maguyva: "draw", graph: radius.graph, colours: colours() }, "*");
  };

  const hear = (event) => {
    if (!frame || event.source !== frame.contentWindow || !event.data?.maguyva) return;
    if (event.data.maguyva === "ready") {
      ready = true;
      draw();
    } else model.send_msg({ type: event.data.maguyva, id: Number(event.data.id) });
  };
  addEventListener("message", hear);

  const openFrame = () => {
    const page = shown(model, "page");
    if (frame || !page) return;
    const html = new TextDecoder().decode(Uint8Array.from(atob(page), (c) => c.charCodeAt(0)));
    frame = make("iframe", "", null, { sandbox: "allow-scripts", title: "Graph of the blast radius" });
    frame.srcdoc = html;
    stage.replaceChildren(frame, make("div", "hint", "click: its code · double click: make it the centre · drag: move · wheel after a click: zoom"));
  };

  const figure = ([name, count]) => put(make("span", "figure"), make("b", "", count, { "data-total": name }), make("span", "muted", name));

  const picker = (radius) => {
    if (radius.symbols.length < 2) return null;
    const select = make("select", "", null, { "aria-label": "Symbol of the chosen result" });
    const known = radius.symbols.some((symbol) => symbol.id === radius.symbol.id);
    if (!known) put(select, make("option", "", radius.symbol.name, { value: radius.symbol.id }));
    for (const symbol of radius.symbols) put(select, make("option", "", `${symbol.kind} ${symbol.name}`, { value: symbol.id }));
    select.value = String(radius.symbol.id);
    select.addEventListener("change", () => model.send_msg({ type: "centre", id: Number(select.value) }));
    return select;
  };

  const reached = (row) => {
    const node = make("li", row.depth === 1 ? "direct" : "", null, { style: `--depth:${DEPTHS[Math.min(row.depth, DEPTHS.length - 1)]}` });
    const show = make("button", "plain mono", row.name, { type: "button", title: `${row.kind} ${row.name}, confidence ${row.confidence.toFixed(2)}` });
    show.addEventListener("click", () => model.send_msg({ type: "show", id: row.id }));
    const centre = button("◎", () => model.send_msg({ type: "centre", id: row.id }), { title: "Make it the centre", "aria-label": `Blast radius of ${row.name}` });
    const facts = [`depth ${row.depth}`, row.edge, row.test ? "test" : ""].filter(Boolean).join(" · ");
    return put(node, make("span", "dot"), show, make("span", "where mono muted", row.where, { title: row.where }), make("span", "facts muted", facts), centre);
  };

  const paint = () => {
    const radius = shown(model, "radius");
    root.classList.toggle("none", radius === null);
    if (radius === null) {
      head.replaceChildren(make("h3", "", "Blast radius"));
      list.replaceChildren(make("div", "empty", shown(model, "empty")));
      return;
    }
    openFrame();
    head.replaceChildren(
      make("h3", "", "Blast radius"),
      picker(radius) ?? make("span", "target mono", radius.symbol.name, { title: radius.symbol.where }),
      put(make("span", "figures"), ...radius.totals.map(figure)),
      make("span", "unresolved", radius.unresolved),
      ...(radius.cut ? [make("span", "unresolved", radius.cut)] : []),
    );
    list.replaceChildren(
      radius.rows.length ? put(make("ul"), ...radius.rows.map(reached)) : make("div", "empty", "Nothing that was resolved depends on it."),
    );
    draw();
  };

  const schemes = matchMedia("(prefers-color-scheme: dark)");
  schemes.addEventListener("change", draw);
  // JupyterLab changes its theme by an attribute of the body.
  const themes = new MutationObserver(draw);
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-name", "data-jp-theme-light"] });
  model.on("remove", () => {
    removeEventListener("message", hear);
    schemes.removeEventListener("change", draw);
    themes.disconnect();
  });
  model.on("page", paint);
  model.on("radius", paint);
  model.on("empty", paint);
  put(root, probe, head, stage, list);
  paint();
  return root;
}
