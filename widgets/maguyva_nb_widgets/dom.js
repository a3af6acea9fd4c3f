// Shared by every component: elements are made with textContent alone, so nothing a codebase contains is markup.
const make = (tag, classes = "", text = null, attributes = {}) => {
  const node = document.createElement(tag);
  if (classes) node.className = classes;
  if (text !== null) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};

// The contents of a component are JSON of [number, value].
const shown = (model, name) => JSON.parse(model[name])[1];

const put = (parent, ...children) => {
  parent.append(...children.filter((child) => child !== null));
  return parent;
};

const button = (text, onClick, attributes = {}) => {
  const node = make("button", "", text, { type: "button", ...attributes });
  node.addEventListener("click", (event) => {
    event.stopPropagation();
    onClick(node);
  });
  return node;
};

// Pieces are [text, marked] pairs.
const marked = (parent, pieces) =>
  put(parent, ...pieces.map(([text, hit]) => (hit ? make("mark", "", text) : document.createTextNode(text))));

// The element of the page itself that holds this component, above all shadow roots.
const outermost = (node) => {
  let host = node;
  while (host.getRootNode() instanceof ShadowRoot) host = host.getRootNode().host;
  return host;
};

// Keys pressed in here are for this component, not for JupyterLab's notebook shortcuts.
const keepKeys = (node) =>
  node.addEventListener("focusin", () => outermost(node).setAttribute("data-lm-suppress-shortcuts", "true"));

const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", "", null, { style: "position:fixed;opacity:0" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
};

const copyButton = (text) =>
  button(
    "Copy",
    async (node) => {
      await copyText(text);
      node.textContent = "Copied";
      setTimeout(() => (node.textContent = "Copy"), 1200);
    },
    { title: `Copy ${text}` },
  );
