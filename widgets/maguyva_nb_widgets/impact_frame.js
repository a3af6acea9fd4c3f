// Runs inside the sandboxed page that pyvis made: it has `network`, `nodes` and `edges` of its own.
(() => {
  const tell = (kind, id) => parent.postMessage({ maguyva: kind, id: String(id) }, "*");
  let target = null;
  const style = document.createElement("style");
  document.head.append(style);

  // Below this scale labels cannot be read: then the target and its neighbours are shown, the rest by moving.
  const READABLE = 0.6;

  const fit = () => {
    network.fit({ maxZoomLevel: 1 });
    if (network.getScale() >= READABLE || !target) return;
    const half = document.getElementById("mynetwork").clientWidth / READABLE / 2;
    network.moveTo({ scale: READABLE, position: { x: target.x + half - 90, y: target.y } });
  };

  // The wheel belongs to the page around until the graph has been clicked.
  const zoom = (on) => network.setOptions({ interaction: { zoomView: on } });

  const paint = ({ graph, colours }) => {
    // Repository text never gets in here, only the colours that the theme computed.
    style.textContent =
      `html, body { margin: 0; overflow: hidden; background: ${colours.bg}; }` +
      `center, h1 { display: none; } .card { border: 0 !important; }` +
      `#mynetwork { box-sizing: border-box; height: 100vh !important; border: 0 !important; background: ${colours.bg} !important; }` +
      `div.vis-tooltip { border: 1px solid ${colours.line}; background: ${colours.bg}; color: ${colours.fg}; font: 12px monospace; white-space: pre; }`;
    target = graph.nodes[0];
    network.setOptions({
      physics: false,
      interaction: { hover: true, navigationButtons: false, keyboard: false, zoomView: false, tooltipDelay: 150 },
      nodes: { shape: "box", margin: 6, borderWidth: 1, font: { face: "monospace", size: 13 } },
      edges: { arrows: { to: { enabled: true, scaleFactor: 0.5 } }, color: { color: colours.edge, highlight: colours.fg }, smooth: { type: "cubicBezier", forceDirection: "horizontal", roundness: 0.4 } },
    });
    const tone = (depth) => colours.depths[Math.min(depth, colours.depths.length - 1)];
    network.setData({
      nodes: new vis.DataSet(
        graph.nodes.map((node) => ({
          ...node,
          color: { background: tone(node.depth).fill, border: tone(node.depth).border, highlight: { background: tone(node.depth).fill, border: colours.fg }, hover: { background: tone(node.depth).fill, border: colours.fg } },
          font: { color: colours.fg },
          shapeProperties: { borderDashes: node.test ? [4, 3] : false },
        })),
      ),
      edges: new vis.DataSet(graph.edges),
    });
    fit();
  };

  network.on("click", () => zoom(true));
  addEventListener("blur", () => zoom(false));
  network.on("selectNode", (event) => tell("show", event.nodes[0]));
  network.on("doubleClick", (event) => event.nodes.length && tell("centre", event.nodes[0]));
  addEventListener("message", (event) => event.source === parent && event.data?.maguyva === "draw" && paint(event.data));
  network.on("resize", () => requestAnimationFrame(fit));
  tell("ready", "");
})();
