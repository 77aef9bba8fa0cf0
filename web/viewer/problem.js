/* The page of a contact problem: its graph, where the error sits, the figures of a contact. */

class ProblemViewer extends Stand {
  constructor(problem) {
    super(false);
    Object.assign(this, { problem, picked: null, colourMode: wishes.get("colour") || "status" });
  }

  async start() {
    const { problem, renderer } = this, graph = graphOf(problem), place = layOutGraph(graph), { contacts } = problem;
    this.place = place;
    renderer.setBodies(contacts);
    const most = Math.max(...problem.errors.slice(0, 1e5), 1e-300);
    const scale = (k) => 0.26 + 0.2 * clamp(1 + Math.log10(problem.errors[k] / most || 1e-300) / 3, 0, 1);
    for (let k = 0; k < contacts; k++) renderer.poseStore.set([...place[k], 0, 1, 0, 0, 0], 8 * k);
    renderer.uploadPoses();
    renderer.addInstances(null, Array.from({ length: contacts }, (_, k) => ({ body: k, position: [0, 0, 0], rotation: [1, 0, 0, 0],
      scale: [scale(k), 0, 0, 0] })), false);
    this.edges = graph.edges;
    this.low = [0, 1, 2].map((c) => place.reduce((x, p) => Math.min(x, p[c]), Infinity) - 0.6);
    this.high = [0, 1, 2].map((c) => place.reduce((x, p) => Math.max(x, p[c]), -Infinity) + 0.6);
    renderer.bounds = { centre: scaled(add(this.low, this.high), 0.5), radius: 0.62 * norm(sub(this.high, this.low)) };
    renderer.occlusionRadius = 1;
    renderer.shadows = false; /* balls and lines float: shadows would only hide their colours */
    this.camera.reach = 3 * norm(sub(this.high, this.low));
    this.setUp();
    this.setTheme(this.theme);
    this.layOut();
    this.fit();
    this.begin();
  }

  fit() {
    this.camera.fitBox(this.low, this.high, this.renderer.width / this.renderer.height);
    this.dirty = true;
  }

  update() {
    if (this.coloured) return true;
    this.coloured = true;
    const { problem, renderer } = this, most = Math.max(...problem.errors.slice(0, 1e5), 1e-300);
    const status = LOOKS[this.theme].status.map(bytesOf);
    for (let k = 0; k < problem.contacts; k++)
      renderer.colourStore.set(this.colourMode === "error" ? ramp(1 + Math.log10(problem.errors[k] / most || 1e-300) / 6) : status[clamp(problem.statuses[k], 0, 2)], 4 * k);
    renderer.uploadColours();
    const line = plainColour(LOOKS[this.theme].line), numbers = new Float32Array(14 * this.edges.length);
    this.edges.forEach(([a, b], k) => numbers.set([...this.place[a], ...line, 0.55, ...this.place[b], ...line, 0.55], 14 * k));
    renderer.setLines(numbers);
    return true;
  }

  themed() {
    this.paintSpread();
  }

  resized() {
    this.paintSpread();
  }

  /* How many contacts have an error of which size. */
  paintSpread() {
    const canvas = $("spread-chart").querySelector("canvas"), width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return;
    const ratio = Math.min(devicePixelRatio || 1, 3), to = canvas.getContext("2d"), style = getComputedStyle(canvas), bins = new Float64Array(40);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    to.scale(ratio, ratio);
    for (const error of this.problem.errors) bins[clamp(Math.floor(2 * (Math.log10(error || 1e-20) + 20)), 0, 39)]++;
    const used = [...bins.keys()].filter((k) => bins[k] > 0), low = Math.max(0, used[0] - 1), high = Math.min(39, used.at(-1) + 1);
    const most = Math.max(...bins), x = (k) => 8 + ((width - 16) * (k - low)) / (high - low + 1);
    to.font = "11px system-ui, sans-serif";
    to.textAlign = "center";
    for (let k = low; k <= high; k++) {
      const tall = ((height - 34) * bins[k]) / most;
      to.fillStyle = style.getPropertyValue("--s0");
      to.fillRect(x(k) + 1, height - 18 - tall, x(k + 1) - x(k) - 2, tall);
      to.fillStyle = style.getPropertyValue("--ink-3");
      if (k % 4 === 0 || high - low < 8) to.fillText(`10${superscript(k / 2 - 20)}`, clamp(x(k), 16, width - 16), height - 5);
      if (bins[k]) to.fillText(bins[k], (x(k) + x(k + 1)) / 2, height - 22 - tall);
    }
  }

  setUp() {
    const { problem } = this, counts = [0, 0, 0];
    for (const status of problem.statuses) counts[clamp(status, 0, 2)]++;
    this.setUpCommon(problem.title || "Contact problem",
      `${problem.contacts.toLocaleString("en")} contacts${problem.groups ? `, ${problem.groups.toLocaleString("en")} bodies` : ""}, natural-map error ${shortNumber(problem.residual)}`, problem.version);
    showCounts(counts);
    $("contacts-button").hidden = true;
    $("scene-section").querySelector("h2").textContent = "Problem";
    $("scene-section").querySelector("details").hidden = true;
    $("colour").append(new Option("by status", "status"), new Option("by error", "error"));
    $("colour").value = this.colourMode;
    $("colour").addEventListener("change", () => this.setColour($("colour").value));
    const order = Array.from(problem.errors.keys()).sort((a, b) => problem.errors[b] - problem.errors[a]);
    let share = 0;
    const square = problem.errors.reduce((sum, x) => sum + x * x, 0), half = order.findIndex((k) => (share += problem.errors[k] ** 2) >= 0.5 * square) + 1;
    $("spread-lead").textContent = square > 0 ? `${half} of ${problem.contacts} contacts make half of its square.` : "There is none.";
    $("worst").append(...order.slice(0, 8).map((k) => {
      const item = document.createElement("li"), button = document.createElement("button"), dotMark = document.createElement("i"), value = document.createElement("b");
      button.dataset.status = STATUS[clamp(problem.statuses[k], 0, 2)];
      value.textContent = shortNumber(problem.errors[k]);
      button.append(dotMark, `Contact ${k}`, value);
      button.addEventListener("click", () => this.select({ kind: "body", number: k }));
      item.append(button);
      return item;
    }));
  }

  select(found) {
    this.picked = found;
    this.renderer.selected = found ? found.number : -1;
    $("picked-title").textContent = found ? `Contact ${found.number}` : "Nothing picked";
    $("picked-hint").hidden = Boolean(found);
    showRows($("picked-figures"), found ? problemRows(this.problem, found.number) : []);
    $("live").textContent = `${$("picked-title").textContent} picked`;
    this.dirty = true;
  }

  focusOn(x, y) {
    this.pickAt(x, y);
    if (!this.picked) return;
    this.camera.target = [...this.place[this.picked.number]];
    this.camera.distance = Math.min(this.camera.distance, 12 / TANGENT);
    this.dirty = true;
  }

  bodyAt(number) {
    return this.place[number];
  }

  actions() {
    const { contacts } = this.problem, next = (by) => () => this.select({ kind: "body", number: ((this.picked?.number ?? (by > 0 ? -1 : 0)) + by + contacts) % contacts });
    return { n: next(1), b: next(-1), v: () => this.setColour(this.colourMode === "error" ? "status" : "error") };
  }
}
