/* The page: what is chosen, and what is shown of it. */

const data = readResults();
const byId = (id) => document.getElementById(id);

/* tolerance and family: -1 for all. slots: method -> colour. */
const state = {
  tolerance: data.tolerances.length === 1 ? 0 : -1, family: -1, measure: "time", budget: 0, reach: 1000,
  hidden: new Set(), slots: new Map(), open: -1, axis: "seconds",
};
const view = { pairs: [], profiles: [] };

const MEASURES = {
  time: {
    title: "Time", axis: "\u03c4, time over the least time of any method",
    lead: (n) => `For each method, the share of the ${n} problems it solves within \u03c4 times the time of the fastest method on that problem. The virtual best takes the fastest method each time; what it misses, no method solves.`,
    tell: (x) => `\u03c4 = ${formatFactor(x)}`, format: (value) => (value >= 1e5 ? formatPower(value) : String(value)),
  },
  "time-per-contact": {
    title: "Time per contact", axis: "time per contact",
    lead: (n) => `For each method, the share of the ${n} problems it solves within a given time per contact.`,
    tell: (x) => `${formatSeconds(x)} per contact`, format: formatSeconds,
  },
  "error-at-budget": {
    title: "Error at a time budget", axis: "error reached within the budget",
    lead: (n) => `For each method, the share of the ${n} problems on which its error is at most a given value when the time budget of ${formatSeconds(currentMeasure().budget)} is spent.`,
    tell: (x) => `error ${formatError(x)} after ${formatSeconds(currentMeasure().budget)}`, format: formatPower,
  },
};

function currentMeasure() {
  const same = data.measures.filter((measure) => measure.name === state.measure);
  return same.find((measure) => measure.budget === state.budget) ?? same[0];
}

function nameOf(method) {
  return method === VIRTUAL_BEST ? "virtual best" : data.methods[method];
}

function slotOf(method) {
  return state.slots.get(method) ?? -1;
}

/* ---- Choices ---- */

function addChoices(fieldset, name, options, chosen, choose) {
  for (const [value, title] of options) {
    const input = element("input", { type: "radio", name, value: String(value), checked: value === chosen });
    input.addEventListener("change", () => choose(value));
    fieldset.append(element("label", { className: "choice" }, input, element("span", {}, title)));
  }
}

function fillSelect(select, options, chosen, choose) {
  for (const [value, title] of options)
    select.append(element("option", { value: String(value), textContent: title, selected: value === chosen }));
  select.addEventListener("change", () => choose(Number(select.value)));
}

function change(key) {
  return (value) => {
    state[key] = value;
    state.open = key === "tolerance" || key === "family" ? -1 : state.open;
    showAll();
  };
}

function makeControls() {
  const tolerances = data.tolerances.map((tolerance, index) => [index, formatPower(tolerance)]);
  addChoices(byId("tolerance"), "tolerance", tolerances.length > 1 ? [[-1, "All"], ...tolerances] : tolerances, state.tolerance, change("tolerance"));
  const families = data.families.map((family, index) => [index, family]);
  fillSelect(byId("family"), [[-1, `All (${data.families.length})`], ...families], state.family, change("family"));
  addChoices(byId("measure"), "measure", Object.entries(MEASURES).map(([name, { title }]) => [name, title]), state.measure, change("measure"));
  const budgets = data.measures.filter((measure) => measure.name === "error-at-budget").map((measure) => measure.budget);
  state.budget = budgets.includes(0.1) ? 0.1 : budgets[0];
  fillSelect(byId("budget"), budgets.map((budget) => [budget, formatSeconds(budget)]), state.budget, change("budget"));
  fillSelect(byId("reach"), [[10, "10"], [100, "100"], [1000, "1000"], [0, "all"]], state.reach, change("reach"));
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("legend-filter").addEventListener("input", filterLegend);
  byId("problem-filter").addEventListener("input", () => problemsTable.refresh());
  byId("show-all").addEventListener("click", () => setHidden(false));
  byId("hide-all").addEventListener("click", () => setHidden(true));
  byId("recolour").addEventListener("click", () => {
    colourBest();
    showProfiles();
  });
}

/* ---- Profiles ---- */

const profileChart = createChart(byId("profile-chart"), 440);

/* The abscissa: from the least place to the largest, or to the reach chosen. */
function profileAxis() {
  const { axis, format } = MEASURES[state.measure];
  let min = Infinity, max = 0;
  for (const { places } of view.profiles)
    for (const place of places) {
      if (place > 0) min = Math.min(min, place);
      max = Math.max(max, place);
    }
  if (!(min <= max)) [min, max] = [1, 10];
  if (state.measure === "time") {
    min = 1;
    max = Math.max(state.reach ? Math.min(max * 1.05, state.reach) : max * 1.05, 2);
  } else {
    min = Math.max(min / 1.2, 1e-18);
    max = Math.max(max * 1.2, 10 * min);
  }
  return { min, max, log: true, label: axis, format };
}

function colourBest() {
  const { min, max } = profileAxis();
  const ranked = view.profiles.filter(({ method }) => method !== VIRTUAL_BEST && !state.hidden.has(method))
    .map(({ method, places }) => ({ method, area: areaOf(places, min, max) }))
    .sort((a, b) => b.area - a.area);
  state.slots = new Map(ranked.slice(0, 8).map(({ method }, slot) => [method, slot]));
}

function profileCurve({ method, places }) {
  const n = view.pairs.length;
  return { key: method, name: nameOf(method), x: places, y: places.map((_, k) => (k + 1) / n), step: true, slot: slotOf(method) };
}

/* Grey curves below coloured ones. */
function visibleCurves() {
  return view.profiles.filter(({ method }) => !state.hidden.has(method))
    .map(profileCurve).sort((a, b) => (a.slot >= 0) - (b.slot >= 0));
}

function showProfiles() {
  const measure = MEASURES[state.measure];
  byId("profile-lead").textContent = measure.lead(view.pairs.length);
  profileChart.update({
    x: profileAxis(),
    y: { min: 0, max: 1, label: "share of problems", format: (value) => `${Math.round(100 * value)}\u2009%` },
    curves: visibleCurves(), empty: "No curve is shown.",
    label: `Performance profiles of ${view.profiles.length - 1} methods; arrow keys read values, the tables below hold the figures`,
    describe: (curve, x, y) => `${formatPercent(y)} (${Math.round(y * view.pairs.length)} of ${view.pairs.length}) at ${measure.tell(x)}`,
    onToggle: toggleCurve, onCursor: showLegendValues,
    onLight: (key) => lightLegend(key),
  });
  showLegend();
}

function toggleCurve(method) {
  if (!state.hidden.delete(method)) state.hidden.add(method);
  showProfiles();
  showDetailPlot();
}

function setHidden(hide) {
  const wanted = byId("legend-filter").value.toLowerCase();
  for (const { method } of view.profiles) {
    if (!nameOf(method).toLowerCase().includes(wanted)) continue;
    if (hide) state.hidden.add(method);
    else state.hidden.delete(method);
  }
  showProfiles();
  showDetailPlot();
}

/* ---- Legend: best first; the values are those at the cursor ---- */

/* Without a cursor: at the right end, or for errors at the tolerance. */
function restingPlace() {
  return state.measure === "error-at-budget" ? data.tolerances[Math.max(state.tolerance, 0)] : profileAxis().max;
}

function showLegend() {
  const { min, max } = profileAxis();
  const focused = document.activeElement?.closest?.("#legend li")?.dataset.key;
  const part = document.activeElement?.classList.contains("swatch") ? ".swatch" : ".toggle";
  const order = view.profiles.map((profile) => ({ profile, area: areaOf(profile.places, min, max) }))
    .sort((a, b) => (b.profile.method === VIRTUAL_BEST) - (a.profile.method === VIRTUAL_BEST) || b.area - a.area);
  byId("legend").replaceChildren(...order.map(({ profile }) => legendItem(profile.method)));
  filterLegend();
  showLegendValues(null);
  if (focused !== undefined) byId("legend").querySelector(`[data-key="${focused}"] ${part}`)?.focus();
}

function legendItem(method) {
  const hidden = state.hidden.has(method), slot = slotOf(method), name = nameOf(method);
  const swatch = element("button", { type: "button", className: "swatch", title: slot >= 0 ? "Make this curve grey" : "Colour this curve", "aria-label": `Colour ${name}`, "aria-pressed": String(slot >= 0), disabled: method === VIRTUAL_BEST }, sample(method));
  const toggle = element("button", { type: "button", className: "toggle", title: name, "aria-pressed": String(!hidden) },
    element("span", { className: "name" }, name), element("span", { className: "value" }));
  const item = element("li", { className: hidden ? "hidden-curve" : "" }, swatch, toggle);
  item.dataset.key = method;
  swatch.addEventListener("click", () => toggleColour(method));
  toggle.addEventListener("click", () => toggleCurve(method));
  const light = (on) => () => {
    item.classList.toggle("lit", on);
    profileChart.light(on ? method : null);
    detail.chart?.light(on ? method : null);
  };
  item.addEventListener("pointerenter", light(true));
  item.addEventListener("pointerleave", light(false));
  item.addEventListener("focusin", light(true));
  item.addEventListener("focusout", light(false));
  return item;
}

/* A short piece of a method's line. */
function sample(method) {
  const line = svg("line", { x1: 1, x2: 21, y1: 5, y2: 5 }), picture = svg("svg", { class: "sample", viewBox: "0 0 22 10", "aria-hidden": "true" });
  styleLine(line, slotOf(method));
  line.classList.toggle("best", method === VIRTUAL_BEST);
  picture.append(line);
  return picture;
}

/* Colours are not given out again while anyone holds them. */
function toggleColour(method) {
  if (!state.slots.delete(method)) {
    const taken = new Set(state.slots.values());
    let slot = 0;
    while (taken.has(slot)) slot++;
    state.slots.set(method, slot);
  }
  showProfiles();
  showDetailPlot();
}

function showLegendValues(x) {
  const n = view.pairs.length, at = x ?? restingPlace();
  byId("legend-value").textContent = `share at ${MEASURES[state.measure].tell(at).replace(/ after.*/, "")}`;
  const places = new Map(view.profiles.map((profile) => [String(profile.method), profile.places]));
  for (const item of byId("legend").children)
    item.querySelector(".value").textContent = n ? formatPercent(countUpTo(places.get(item.dataset.key), at) / n) : "";
}

function lightLegend(key) {
  for (const item of byId("legend").children) item.classList.toggle("lit", key !== null && item.dataset.key === String(key));
}

function filterLegend() {
  const wanted = byId("legend-filter").value.toLowerCase();
  for (const item of byId("legend").children) item.hidden = !nameOf(Number(item.dataset.key)).toLowerCase().includes(wanted);
}

/* ---- Tables ---- */

const methodsTable = createTable(byId("methods-table"), "Methods", [
  { title: "Method", value: (row) => row.name },
  { title: "Solved", value: (row) => row.solved / row.runs, node: (row) => fractionBar(row.solved, row.runs), down: true },
  { title: "Fastest", value: (row) => row.wins, number: true, down: true, hint: "Problems on which no method was faster" },
  { title: "Ratio to virtual best", value: (row) => row.ratio, text: (row) => formatFactor(row.ratio), number: true, hint: "Geometric mean over the problems it solves of its time over the least time" },
  { title: "Total time", value: (row) => row.seconds, text: (row) => formatSeconds(row.seconds), number: true, hint: "Of all its runs, solved or not" },
  { title: "Peak memory", value: (row) => (row.peak < 0 ? NaN : row.peak), text: (row) => formatMemory(row.peak), number: true },
  { title: "Not solved", value: (row) => row.runs - row.solved, text: (row) => [...row.others].sort((a, b) => b[1] - a[1]).map(([outcome, count]) => `${count} ${outcome}`).join(", ") || "\u2013", wrap: true },
], { sort: 1 });

const problemsTable = createTable(byId("problems-table"), "Problems", [
  { title: "Problem", value: (row) => row.name, node: problemOpener },
  { title: "Family", value: (row) => row.family },
  { title: "Tolerance", value: (row) => row.tolerance, text: (row) => formatPower(row.tolerance), number: true },
  { title: "Contacts", value: (row) => row.contacts, text: (row) => formatCount(row.contacts), number: true, down: true },
  { title: "d.o.f.", value: (row) => row.dof || NaN, text: (row) => formatCount(row.dof || -1), number: true, down: true, hint: "Where the file has the global form" },
  { title: "Solved by", value: (row) => row.solved / row.runs, node: (row) => fractionBar(row.solved, row.runs), down: true },
  { title: "Best method", value: (row) => (row.best < 0 ? null : data.methods[row.best]), text: (row) => (row.best < 0 ? "\u2013" : data.methods[row.best]) },
  { title: "Best time", value: (row) => row.seconds, text: (row) => formatSeconds(row.seconds), number: true },
], {
  filter: (row) => row.name.toLowerCase().includes(byId("problem-filter").value.toLowerCase()),
  onRow: dressProblemRow,
});

function problemOpener(row) {
  return element("button", { type: "button", className: "opener", "aria-expanded": "false", textContent: row.name });
}

function dressProblemRow(row, line) {
  line.classList.add("pick");
  line.dataset.pair = row.pair;
  line.addEventListener("click", () => {
    if (getSelection().type !== "Range") openProblem(state.open === row.pair ? -1 : row.pair);
  });
  if (state.open === row.pair) queueMicrotask(() => openProblem(row.pair));
}

function showFamilies() {
  const rows = data.table6.map((row) => ({ ...row, ...familyShape(row.family), name: data.families[row.family] }));
  const unknown = (value) => (value === null ? NaN : value);
  const spread = (mean, deviation) => (mean === null ? "\u2013" : `${formatSeconds(mean)} \u00b1 ${formatSeconds(deviation)}`);
  createTable(byId("families-table"), "Families", [
    { title: "Family", value: (row) => row.name },
    { title: "Problems", value: (row) => row.problems, number: true },
    { title: "Contacts", value: (row) => row.contacts[1], text: (row) => formatRange(...row.contacts), number: true },
    { title: "d.o.f.", value: (row) => row.dof[1], text: (row) => formatRange(...row.dof), number: true },
    { title: "Contact density", value: (row) => row.density[1], text: (row) => formatRange(...row.density, formatFactor), number: true, hint: "Unknowns of the contacts per degree of freedom (136)" },
    { title: "Tolerance", value: (row) => row.tolerance, text: (row) => formatPower(row.tolerance), number: true },
    { title: "Unsolved", value: (row) => row.unsolved, number: true, down: true },
    { title: "Fastest method", value: (row) => unknown(row.mean), text: (row) => spread(row.mean, row.deviation), number: true, hint: "Time of the fastest method on each problem: mean \u00b1 standard deviation" },
    { title: "The same per contact", value: (row) => unknown(row.meanPerContact), text: (row) => spread(row.meanPerContact, row.deviationPerContact), number: true },
  ]).show(rows);
}

/* Ranges over the problems of a family, of what is known. */
function familyShape(family) {
  const shape = { contacts: [Infinity, -Infinity], dof: [Infinity, -Infinity], density: [Infinity, -Infinity] };
  const widen = (range, value) => {
    range[0] = Math.min(range[0], value);
    range[1] = Math.max(range[1], value);
  };
  const { contacts, dof, dimension } = data.problems;
  data.problems.family.forEach((its, k) => {
    if (its !== family) return;
    if (contacts[k] >= 0) widen(shape.contacts, contacts[k]);
    if (dof[k] > 0) widen(shape.dof, dof[k]);
    if (contacts[k] >= 0 && dof[k] > 0) widen(shape.density, (dimension[k] * contacts[k]) / dof[k]);
  });
  return shape;
}

function showOrigin() {
  createTable(byId("origin-table"), "Machines and versions", [
    { title: "Slipcone", value: (row) => row.version || "\u2013" },
    { title: "Commit", value: (row) => row.commit || "\u2013" },
    { title: "Compiler", value: (row) => row.compiler || "\u2013" },
    { title: "Processor", value: (row) => row.cpu || "\u2013" },
    { title: "Runs", value: (row) => row.runs, text: (row) => formatCount(row.runs), number: true, down: true },
  ], { sort: 4 }).show(data.origins);
}

/* ---- One problem: convergence and runs ---- */

const detail = { chart: null, pair: -1 };

function openProblem(pair) {
  const body = byId("problems-table").querySelector("tbody");
  body.querySelector(".detail")?.remove();
  for (const line of body.querySelectorAll("tr.pick")) {
    const open = Number(line.dataset.pair) === pair;
    line.classList.toggle("open", open);
    line.querySelector(".opener").setAttribute("aria-expanded", String(open));
    if (open) line.after(makeDetail(pair, line.children.length));
  }
  state.open = pair;
  detail.pair = pair;
  if (pair < 0) detail.chart = null;
  showDetailPlot();
}

function makeDetail(pair, columns) {
  const host = element("div", { className: "chart" }), runs = element("div", { className: "table-wrap" });
  const axis = element("fieldset", { className: "axis-choice" }, element("legend", {}, "Against"));
  addChoices(axis, `axis-${pair}`, [["seconds", "Time"], ["iteration", "Iterations"]], state.axis, (value) => {
    state.axis = value;
    showDetailPlot();
  });
  const cell = element("td", { colSpan: columns }, element("div", { className: "detail-grid" },
    element("div", {}, element("div", { className: "detail-tools" }, axis), host), runs));
  detail.chart = createChart(host, 380);
  showRuns(runs, pair);
  return element("tr", { className: "detail" }, cell);
}

function showRuns(host, pair) {
  const rows = data.methods.map((_, method) => ({ method, run: runOf(data, pair, method) })).filter((row) => row.run !== undefined);
  const { runs } = data;
  const solved = (row) => data.outcomes[runs.outcome[row.run]] === "SOLVED";
  createTable(host, "Runs", [
    { title: "Method", value: (row) => data.methods[row.method], node: (row) => element("span", {}, sample(row.method), data.methods[row.method]) },
    { title: "Outcome", value: (row) => data.outcomes[runs.outcome[row.run]], node: (row) => element("span", { className: solved(row) ? "" : "unsolved" }, data.outcomes[runs.outcome[row.run]]) },
    { title: "Time", value: (row) => runs.seconds[row.run] + (solved(row) ? 0 : 1e12), text: (row) => formatSeconds(runs.seconds[row.run]), number: true, hint: "Solved runs first" },
    { title: "Error", value: (row) => runs.error[row.run], text: (row) => formatError(runs.error[row.run]), number: true },
    { title: "Physical", value: (row) => runs.physical[row.run] ?? Infinity, text: (row) => formatError(runs.physical[row.run]), number: true, hint: "How far the contacts are from their laws" },
    { title: "Iterations", value: (row) => runs.iterations[row.run], text: (row) => formatCount(runs.iterations[row.run]), number: true },
    { title: "Memory", value: (row) => runs.peak[row.run], text: (row) => formatMemory(runs.peak[row.run]), number: true },
  ], { sort: 2, onRow: (row, line) => {
    line.addEventListener("pointerenter", () => detail.chart?.light(row.method));
    line.addEventListener("pointerleave", () => detail.chart?.light(null));
  } }).show(rows);
}

function convergenceCurves(pair) {
  const curves = [];
  data.methods.forEach((name, method) => {
    const run = runOf(data, pair, method);
    if (run === undefined || state.hidden.has(method)) return;
    const trace = traceOf(data, run);
    const x = state.axis === "seconds" ? trace.seconds : trace.iteration.map((k) => Math.max(k, 1));
    if (x.length > 0) curves.push({ key: method, name, x, y: trace.error, step: false, slot: slotOf(method) });
  });
  return curves.sort((a, b) => (a.slot >= 0) - (b.slot >= 0));
}

function showDetailPlot() {
  if (!detail.chart) return;
  const curves = convergenceCurves(detail.pair), tolerance = data.tolerances[data.pairs.tolerance[detail.pair]];
  const xs = curves.flatMap((curve) => curve.x), ys = curves.flatMap((curve) => curve.y);
  const [low, high] = xs.length ? [Math.min(...xs), Math.max(...xs)] : [1, 10];
  const time = state.axis === "seconds";
  const tell = (x) => (time ? `after ${formatSeconds(x)}` : `after ${Math.round(x)} iterations`);
  detail.chart.update({
    x: { min: low / 1.1, max: Math.max(high * 1.1, low * 2), log: true, label: time ? "time" : "iterations", format: time ? formatSeconds : formatPower },
    y: { min: Math.max(Math.min(tolerance / 10, ...ys), 1e-18), max: Math.min(Math.max(1, ...ys), 1e6), log: true, label: "error", format: formatPower },
    curves, references: [{ y: tolerance, label: `tolerance ${formatPower(tolerance)}` }],
    empty: "There are no traces of this problem.", label: `Convergence of ${curves.length} methods`,
    describe: (curve, x, y) => (Number.isNaN(y) ? "ended" : `error ${formatError(y)} ${tell(x)}`),
    onToggle: toggleCurve, onLight: lightLegend,
  });
}

/* ---- All of it ---- */

function showSummary() {
  const many = (count, one, more = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
  byId("summary").textContent = [many(data.runs.pair.length, "run"), many(data.methods.length, "method"),
    many(data.problems.name.length, "problem"), many(data.families.length, "family", "families"),
    many(data.tolerances.length, "tolerance")].join(" \u00b7 ");
  const empty = data.runs.pair.length === 0;
  byId("notice").hidden = !empty && !data.truncated;
  byId("notice").textContent = empty ? "The results file holds no runs yet." : "The results file ends in the midst of a row; that row is left out.";
  byId("controls").hidden = empty;
  document.querySelector("main").hidden = empty;
  return !empty;
}

function showAll() {
  view.pairs = selectPairs(data, state.tolerance, state.family);
  view.profiles = profilesOf(data, currentMeasure(), view.pairs);
  if (state.slots.size === 0) colourBest();
  byId("budget-field").hidden = state.measure !== "error-at-budget";
  byId("reach-field").hidden = state.measure !== "time";
  showProfiles();
  const what = `${state.family < 0 ? "all families" : data.families[state.family]}, ${state.tolerance < 0 ? "all tolerances" : `tolerance ${formatPower(data.tolerances[state.tolerance])}`}`;
  byId("methods-lead").textContent = `On ${what}; the virtual best solves ${view.pairs.filter((pair) => data.measures[0].best[pair] >= 0).length} of ${view.pairs.length}.`;
  methodsTable.show(summariesOf(data, view.pairs));
  const columns = problemsTable.columnsShown = [true, state.family < 0, state.tolerance < 0, true, true, true, true, true];
  problemsTable.show(problemRowsOf(data, view.pairs), columns);
  if (state.open < 0) detail.chart = null;
}

if (showSummary()) {
  makeControls();
  showAll();
  showFamilies();
  showOrigin();
}
