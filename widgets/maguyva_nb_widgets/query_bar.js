const EDITABLE = "input, textarea, select, [contenteditable=true], .cm-editor";

export function render({ model, el }) {
  const form = make("form", "bar", null, { role: "search" });
  const title = make("div", "title muted", JSON.parse(model.title));
  const box = make("input", "mono grow", null, {
    type: "search",
    name: "query",
    placeholder: 'Ask a question, name a symbol, or quote a "literal"   ( / to come back here )',
    "aria-label": "Query",
    autocomplete: "off",
    spellcheck: "false",
  });
  const preset = make("select", "", null, { name: "preset", "aria-label": "Preset" });
  for (const [name, explained] of JSON.parse(model.presets)) {
    put(preset, make("option", "", name, { value: name, title: explained }));
  }
  const go = make("button", "go", "Search", { type: "submit" });
  put(form, title, put(make("div", "inputs"), box, put(make("label", "muted", "Preset "), preset), go));
  keepKeys(form);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    model.send_msg({ type: "search", query: box.value });
  });
  preset.addEventListener("change", () => model.send_msg({ type: "preset", preset: preset.value, query: box.value }));

  const onKey = (event) => {
    const from = event.composedPath()[0];
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || from.closest?.(EDITABLE)) return;
    const host = outermost(form);
    const output = host.closest(".jp-OutputArea");
    if (output && !event.composedPath().includes(output)) return;
    event.preventDefault();
    box.focus();
    box.select();
  };
  document.addEventListener("keydown", onKey);
  model.on("remove", () => document.removeEventListener("keydown", onKey));

  const showQuery = () => (box.value = JSON.parse(model.query));
  const explanations = new Map(JSON.parse(model.presets));
  const showPreset = () => {
    preset.value = model.preset;
    preset.title = explanations.get(model.preset) ?? "";
  };
  const showBusy = () => {
    go.textContent = model.busy ? "Searching …" : "Search";
    form.setAttribute("aria-busy", String(model.busy));
  };
  model.on("query", showQuery);
  model.on("preset", showPreset);
  model.on("busy", showBusy);
  showQuery();
  showPreset();
  showBusy();
  return form;
}
