const EDITABLE = "input, textarea, select, [contenteditable=true], .cm-editor";

export function render({ model, el }) {
  const form = make("form", "bar", null, { role: "search" });
  const title = make("div", "title muted", shown(model, "title"));
  const box = make("input", "mono grow", null, {
    type: "search",
    name: "query",
    placeholder: 'Ask a question, name a symbol, or quote a "literal"   ( / to come back here )',
    "aria-label": "Query",
    autocomplete: "off",
    spellcheck: "false",
  });
  const preset = make("select", "", null, { name: "preset", "aria-label": "Preset" });
  for (const [name, explained] of shown(model, "presets")) {
    put(preset, make("option", "", name, { value: name, title: explained }));
  }
  const go = make("button", "go", "Search", { type: "submit" });
  put(form, title, put(make("div", "inputs"), box, put(make("label", "muted", "Preset "), preset), go));
  keepKeys(form);

  const search = (event) => {
    event.preventDefault();
    model.send_msg({ type: "search", query: box.value });
  };
  form.addEventListener("submit", search);
  // Inside JupyterLab, Enter does not submit forms by itself.
  box.addEventListener("keydown", (event) => event.key === "Enter" && !event.isComposing && search(event));
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

  const showQuery = () => (box.value = shown(model, "query"));
  const explanations = new Map(shown(model, "presets"));
  const showPreset = () => {
    preset.value = shown(model, "preset");
    preset.title = explanations.get(preset.value) ?? "";
  };
  const showBusy = () => {
    const busy = shown(model, "busy");
    go.textContent = busy ? "Searching …" : "Search";
    form.setAttribute("aria-busy", String(busy));
  };
  model.on("query", showQuery);
  model.on("preset", showPreset);
  model.on("busy", showBusy);
  showQuery();
  showPreset();
  showBusy();
  return form;
}
