export function render({ model }) {
  const root = make("section", "card");

  const fact = (name, ...values) => put(make("div", "fact"), make("span", "name muted", name), put(make("span", "grow"), ...values));

  const ruleLine = (rule) =>
    put(
      make("li"),
      make("span", "mono", rule.rule),
      make("span", "muted", ` ${rule.intent} ${rule.confidence.toFixed(2)}`),
      rule.words ? make("span", "muted", ` on “${rule.words}”`) : null,
      rule.note ? make("span", "muted", ` ${rule.note}`) : null,
    );

  const rules = (title, list) =>
    list.length ? put(make("details"), make("summary", "muted", `${title} (${list.length})`), put(make("ul"), ...list.map(ruleLine))) : null;

  const gauge = (confidence) => {
    const track = make("span", "gauge", null, { role: "img", "aria-label": `confidence ${confidence.toFixed(2)}` });
    return put(track, make("span", "level", null, { style: `width:${100 * confidence}%` }));
  };

  const paint = () => {
    const card = shown(model, "card");
    const head = make("h3", "", "Intent");
    if (card === null) {
      const help = make("div", "empty");
      put(help, make("div", "", "Try one of these forms:"));
      for (const [example, meaning] of [
        ["how are requests validated", "a question"],
        ["who calls parse_config", "a relation"],
        ["ParserError", "a name"],
        ['"connection refused"', "a literal, every occurrence"],
        ["/def \\w+_token/", "a regular expression"],
      ]) {
        put(help, put(make("div", "example"), make("code", "mono", example), make("span", "muted", meaning)));
      }
      root.replaceChildren(head, help);
      return;
    }
    root.replaceChildren(
      head,
      put(
        make("div", "intent"),
        make("b", "", card.intent, { "data-intent": card.intent }),
        gauge(card.confidence),
        make("span", "", card.confidence.toFixed(2), { title: "Confidence of the rule" }),
      ),
      fact("rule", make("span", "mono", card.rule, { "data-rule": card.rule })),
      fact("query", marked(make("span", "mono"), card.query)),
      ...(card.target ? [fact("target", make("span", "mono", card.target), make("span", "muted", card.direction ? ` ${card.direction}` : ""))] : []),
      fact("route", make("span", "", card.route)),
      ...(card.note ? [fact("note", make("span", "", card.note))] : []),
      ...[rules("Rules it beat", card.shadowed), rules("Near misses", card.near_misses)].filter(Boolean),
    );
  };
  model.on("card", paint);
  paint();
  return root;
}
