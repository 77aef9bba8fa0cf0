/* A plot of curves with a logarithmic abscissa: axes, hover, keyboard. One kind of chart serves
   profiles (steps) and convergence (polylines). */

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes = {}, text) {
  const node = document.createElementNS(SVG, name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  return node;
}

/* A curve of 8 colours, then 8 colours dashed, and so on; without a slot it is grey. */
const DASHES = ["", "7 3", "2 2", "9 3 2 3", "1 3"];

function styleLine(node, slot) {
  node.classList.toggle("strong", slot >= 0);
  node.classList.toggle("quiet", slot < 0);
  node.style.stroke = slot >= 0 ? `var(--s${slot % 8})` : "";
  node.style.strokeDasharray = slot >= 0 ? DASHES[Math.floor(slot / 8) % DASHES.length] : "";
}

/* Pixels of a value on an axis {min, max, log}; from, to are the pixels of its ends. */
function makeScale(axis, from, to) {
  const map = axis.log ? Math.log10 : (value) => value;
  const low = map(axis.min), span = map(axis.max) - low || 1;
  const scale = (value) => from + ((map(value) - low) / span) * (to - from);
  scale.inverse = (pixel) => {
    const value = low + ((pixel - from) / (to - from)) * span;
    return axis.log ? 10 ** value : value;
  };
  return scale;
}

/* Round values of an axis, at most about `room` of them. */
function ticksOf(axis, room) {
  const ticks = [];
  if (!axis.log) {
    const raw = (axis.max - axis.min) / room;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999);
    for (let k = Math.ceil(axis.min / step - 1e-9); k * step <= axis.max * (1 + 1e-9); k++) ticks.push(k * step);
    return ticks;
  }
  const low = Math.log10(axis.min), high = Math.log10(axis.max);
  const every = Math.max(1, Math.ceil((high - low) / room));
  const parts = high - low <= room / 3 ? [1, 2, 5] : [1];
  for (let k = Math.floor(low / every) * every; k <= high; k += every)
    for (const part of parts) {
      const tick = part * 10 ** k;
      if (tick >= axis.min * (1 - 1e-9) && tick <= axis.max * (1 + 1e-9)) ticks.push(tick);
    }
  return ticks;
}

/* The value of a curve at x, or NaN where it is not. Steps hold their value, polylines are
   straight on the plot. */
function curveAt(curve, x, xScale, yScale) {
  const before = countUpTo(curve.x, x);
  if (curve.step) return before === 0 ? 0 : curve.y[before - 1];
  if (before === 0 || x > curve.x[curve.x.length - 1]) return NaN;
  if (before === curve.x.length) return curve.y[before - 1];
  const x0 = xScale(curve.x[before - 1]), x1 = xScale(curve.x[before]);
  const y0 = yScale(curve.y[before - 1]), y1 = yScale(curve.y[before]);
  return yScale.inverse(x1 > x0 ? y0 + ((xScale(x) - x0) / (x1 - x0)) * (y1 - y0) : y1);
}

function pathOf(curve, spec, xScale, yScale) {
  const at = (pixel) => Math.round(pixel * 10) / 10;
  const yOf = (value) => at(yScale(Math.min(Math.max(value, spec.y.min), spec.y.max)));
  if (!curve.step)
    return curve.x.map((x, k) => `${k ? "L" : "M"}${at(xScale(x))},${yOf(curve.y[k])}`).join("");
  let path = `M${at(xScale(spec.x.min))},${yOf(curveAt(curve, spec.x.min, xScale, yScale))}`;
  for (let k = countUpTo(curve.x, spec.x.min); k < curve.x.length && curve.x[k] <= spec.x.max; k++)
    path += `H${at(xScale(curve.x[k]))}V${yOf(curve.y[k])}`;
  return `${path}H${at(xScale(spec.x.max))}`;
}

/* Distance in pixels from a point to a curve: to what it covers within a few pixels of px. */
function distanceTo(curve, px, py, plot) {
  const reach = 5;
  const from = plot.x.inverse(px - reach), to = plot.x.inverse(px + reach);
  let low = Infinity, high = -Infinity;
  const cover = (value) => {
    if (Number.isNaN(value)) return;
    const pixel = plot.y(Math.min(Math.max(value, plot.spec.y.min), plot.spec.y.max));
    low = Math.min(low, pixel);
    high = Math.max(high, pixel);
  };
  for (const x of [from, plot.x.inverse(px), to]) cover(curveAt(curve, x, plot.x, plot.y));
  for (let k = countUpTo(curve.x, from); k < curve.x.length && curve.x[k] <= to; k++) cover(curve.y[k]);
  return py < low ? low - py : py > high ? py - high : 0;
}

/* A chart in `host`. update(spec) draws: spec has x and y {min, max, log, label, format}, curves
   [{key, name, x, y, step, slot}], references [{y, label}], label, describe(curve, x, y) and,
   where wanted, onToggle(key), onCursor(x or null), onLight(key or null). */
function createChart(host, height) {
  const chart = { plot: null };
  const picture = svg("svg", { tabindex: 0, role: "application", "aria-roledescription": "plot" });
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  host.append(picture, tip);
  let lit = null, cursorX = null;

  chart.update = (spec) => {
    chart.spec = spec;
    draw();
  };
  chart.light = (key) => {
    lit = key;
    const group = picture.querySelector(".curves");
    if (!group) return;
    let any = false;
    for (const path of group.children) {
      const on = key !== null && path.dataset.key === String(key);
      path.classList.toggle("lit", on);
      any ||= on;
    }
    group.classList.toggle("any-lit", any);
  };

  function draw() {
    const spec = chart.spec, width = Math.max(host.clientWidth, 240);
    const box = { left: 62, right: width - 14, top: 12, bottom: height - 46 };
    const plot = chart.plot = { spec, box, x: makeScale(spec.x, box.left, box.right), y: makeScale(spec.y, box.bottom, box.top) };
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.setAttribute("height", height);
    picture.setAttribute("aria-label", spec.label);
    Object.assign(picture.dataset, { ...box, min: spec.x.min, max: spec.x.max });
    picture.replaceChildren(svg("g"), svg("g", { class: "curves" }), svg("g", { class: "overlay" }));
    drawAxes(picture.children[0], plot);
    for (const curve of spec.curves) {
      const path = svg("path", { class: "curve", d: pathOf(curve, spec, plot.x, plot.y), "data-key": curve.key });
      styleLine(path, curve.slot);
      path.classList.toggle("best", curve.key === VIRTUAL_BEST);
      picture.children[1].append(path);
    }
    if (spec.curves.length === 0)
      picture.children[0].append(svg("text", { class: "empty", x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 }, spec.empty));
    chart.light(lit);
    tip.hidden = true;
  }

  /* The curves at a point, nearest first; strong ones before grey ones at the same distance. */
  function nearest(px, py) {
    const found = chart.spec.curves.map((curve) => ({ curve, distance: distanceTo(curve, px, py, chart.plot) }));
    found.sort((a, b) => a.distance - b.distance || b.curve.slot - a.curve.slot);
    const close = found.filter((one) => one.distance < 18 && one.distance < found[0].distance + 1);
    return close.sort((a, b) => (b.curve.slot >= 0) - (a.curve.slot >= 0)).map((one) => one.curve);
  }

  function point(px, curves) {
    const { plot, spec } = chart, overlay = picture.children[2];
    cursorX = plot.x.inverse(px);
    overlay.replaceChildren(svg("line", { class: "cursor", x1: px, x2: px, y1: plot.box.top, y2: plot.box.bottom }));
    spec.onCursor?.(cursorX);
    const curve = curves[0];
    if (!curve) return rest();
    const y = curveAt(curve, cursorX, plot.x, plot.y);
    if (!Number.isNaN(y)) {
      const inside = Math.min(Math.max(y, spec.y.min), spec.y.max);
      overlay.append(svg("circle", { class: "dot", cx: px, cy: plot.y(inside), r: 4 }));
    }
    showTip(px, curves, y);
    chart.light(curve.key);
    spec.onLight?.(curve.key);
  }

  function showTip(px, curves, y) {
    const { plot, spec } = chart;
    const name = document.createElement("b");
    name.textContent = curves.slice(0, 4).map((curve) => curve.name).join(", ") + (curves.length > 4 ? ` and ${curves.length - 4} more` : "");
    tip.replaceChildren(name, spec.describe(curves[0], cursorX, y));
    tip.hidden = false;
    const right = px > (plot.box.left + plot.box.right) / 2;
    tip.style.left = right ? "auto" : `${px + 14}px`;
    tip.style.right = right ? `${host.clientWidth - px + 14}px` : "auto";
    const middle = Number.isNaN(y) ? plot.box.top : plot.y(Math.min(Math.max(y, spec.y.min), spec.y.max));
    tip.style.top = `${Math.min(Math.max(middle - 20, 0), height - 100)}px`;
  }

  function rest() {
    tip.hidden = true;
    chart.light(null);
    chart.spec.onLight?.(null);
  }

  function leave() {
    picture.children[2]?.replaceChildren();
    chart.spec.onCursor?.(null);
    rest();
  }

  function pixelOf(event) {
    const area = picture.getBoundingClientRect();
    return [event.clientX - area.left, event.clientY - area.top];
  }

  picture.addEventListener("pointermove", (event) => {
    const [px, py] = pixelOf(event), { box } = chart.plot;
    if (px < box.left - 8 || px > box.right + 8 || py > box.bottom + 8) return leave();
    const inside = Math.min(Math.max(px, box.left), box.right);
    point(inside, nearest(inside, py));
  });
  picture.addEventListener("pointerleave", leave);
  picture.addEventListener("click", (event) => {
    const curve = nearest(...pixelOf(event))[0];
    if (curve) chart.spec.onToggle?.(curve.key);
  });

  /* Left and right move along a curve, up and down change to the next one at this place, Enter
     hides it. */
  picture.addEventListener("keydown", (event) => {
    const { plot, spec } = chart;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], turn = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Escape") return leave();
    if ((event.key === "Enter" || event.key === "Delete") && lit !== null) return spec.onToggle?.(lit);
    if ((!step && !turn) || spec.curves.length === 0) return;
    event.preventDefault();
    const px = cursorX === null ? plot.box.left : plot.x(cursorX);
    const moved = Math.min(Math.max(px + (step ?? 0) * (event.shiftKey ? 40 : 8), plot.box.left), plot.box.right);
    const x = plot.x.inverse(moved);
    const order = spec.curves.map((curve) => ({ curve, y: curveAt(curve, x, plot.x, plot.y) }))
      .filter((one) => !Number.isNaN(one.y)).sort((a, b) => b.y - a.y);
    if (order.length === 0) return point(moved, []);
    const at = order.findIndex((one) => one.curve.key === lit);
    const next = order[at < 0 ? 0 : (at + (turn ?? 0) + order.length) % order.length];
    point(moved, [next.curve]);
    document.getElementById("live").textContent = `${next.curve.name}: ${spec.describe(next.curve, x, next.y)}`;
  });
  picture.addEventListener("blur", leave);

  let drawnWidth = 0;
  new ResizeObserver(() => {
    if (!chart.spec || host.clientWidth === drawnWidth) return;
    drawnWidth = host.clientWidth;
    draw();
  }).observe(host);
  return chart;
}

function drawAxes(group, { spec, box, x, y }) {
  for (const tick of ticksOf(spec.y, 6)) {
    const at = y(tick);
    group.append(svg("line", { class: "grid", x1: box.left, x2: box.right, y1: at, y2: at }),
      svg("text", { x: box.left - 8, y: at + 4, "text-anchor": "end" }, spec.y.format(tick)));
  }
  for (const tick of ticksOf(spec.x, (box.right - box.left) / 60)) {
    const at = x(tick);
    group.append(svg("line", { class: "grid", x1: at, x2: at, y1: box.top, y2: box.bottom }),
      svg("text", { x: at, y: box.bottom + 18, "text-anchor": "middle" }, spec.x.format(tick)));
  }
  group.append(svg("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }),
    svg("text", { class: "axis-title", x: (box.left + box.right) / 2, y: box.bottom + 38, "text-anchor": "middle" }, spec.x.label),
    svg("text", { class: "axis-title", transform: `translate(12 ${(box.top + box.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, spec.y.label));
  for (const reference of spec.references ?? []) {
    const at = y(reference.y);
    group.append(svg("line", { class: "reference", x1: box.left, x2: box.right, y1: at, y2: at }),
      svg("text", { x: box.right - 4, y: at - 5, "text-anchor": "end" }, reference.label));
  }
}
