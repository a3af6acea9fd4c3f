export function render({ model }) {
  const root = make("div", "notices", null, { "aria-live": "polite" });
  const line = (notice) =>
    put(
      make("div", `notice ${notice.level}`, null, { role: notice.level === "error" ? "alert" : "status" }),
      make("b", "", notice.type.replaceAll("_", " ")),
      make("span", "message", notice.message),
      notice.next ? make("span", "next", notice.next) : null,
    );
  const paint = () => root.replaceChildren(...shown(model, "notices").map(line));
  model.on("notices", paint);
  paint();
  return root;
}
