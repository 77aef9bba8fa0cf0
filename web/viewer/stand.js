/* What the pages of trajectories and of problems share: an eye, a picture, what is picked, keys, themes.
   Who extends it has start(), update(), fit(), select(), focusOn(), bodyAt() and actions(). */

const $ = (id) => document.getElementById(id);

/* What stands after the # of the address: t, az, el, zoom, theme, contacts, colour, ui. */
const wishes = new URLSearchParams(location.hash.slice(1));
const wish = (name) => (wishes.has(name) && wishes.get(name) !== "" ? Number(wishes.get(name)) : NaN);

const KEYS = [["Space", "play or pause", "trajectory"], ["← →", "one frame back or on; with Shift ten", "trajectory"],
  ["Home End", "first or last frame", "trajectory"], ["[ ]", "slower or faster", "trajectory"], ["A D W S", "turn the view"],
  ["+ −", "nearer or farther"], ["F", "show everything"], ["C", "impulses at contacts", "trajectory"],
  ["N B", "pick the next one, or the one before"], ["V", "colour by the next of what there is", "trajectory"], ["V", "colour by error, or by status", "problem"],
  ["T", "light or dark"], ["P", "figures"], ["Esc", "pick nothing"], ["Drag", "turn; with Shift, the other button or two fingers: move"],
  ["Wheel", "nearer or farther; on a phone two fingers"], ["Double press", "look at it"]];

function showCounts(counts) {
  document.querySelectorAll("#legend li").forEach((item) => {
    item.querySelector("b").textContent = counts[STATUS.indexOf(item.querySelector("i").dataset.status)];
  });
}

class Stand {
  constructor(flat) {
    this.canvas = $("view");
    this.renderer = new Renderer(this.canvas);
    this.camera = new Camera(flat);
    this.theme = wishes.get("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    this.dirty = true;
  }

  /* The first picture at once and plain, the next turn draws the rest. */
  begin() {
    this.takeView();
    new ResizeObserver(() => this.layOut()).observe($("stage"));
    this.update();
    this.renderer.quality = 0;
    this.draw();
    this.renderer.gl.finish();
    this.renderer.quality = 2;
    this.dirty = true;
    requestAnimationFrame((now) => this.turn(now));
  }

  takeView() {
    if (wish("az") === wish("az")) this.camera.azimuth = wish("az");
    if (wish("el") === wish("el")) this.camera.elevation = wish("el");
    if (wishes.has("az") || wishes.has("el")) this.fit();
    if (wish("zoom") > 0) this.camera.zoom(1 / wish("zoom"));
  }

  /* ---- Drawing ---- */

  turn(now) {
    this.passing?.(now);
    if (this.dirty && this.update()) {
      this.dirty = false;
      this.draw();
    }
    requestAnimationFrame((later) => this.turn(later));
  }

  layOut() {
    const { clientWidth, clientHeight } = $("stage"), ratio = this.coarse ? 0.6 : Math.min(devicePixelRatio || 1, 2);
    if (!clientWidth || !clientHeight) return;
    this.renderer.resize(Math.max(1, Math.round(clientWidth * ratio)), Math.max(1, Math.round(clientHeight * ratio)));
    this.resized?.();
    this.dirty = true;
  }

  eye() {
    return this.camera.eye(this.renderer.width / this.renderer.height);
  }

  draw() {
    this.renderer.look = this.look;
    this.renderer.draw(this.eye());
  }

  setTheme(theme) {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    this.look = lookOf(theme, this.camera.flat);
    this.coloured = false;
    this.themed?.();
    this.dirty = true;
  }

  setColour(mode) {
    this.colourMode = mode;
    $("colour").value = mode;
    this.coloured = false;
    this.dirty = true;
  }

  /* ---- Picking ---- */

  pickAt(x, y) {
    const box = this.canvas.getBoundingClientRect(), scale = this.renderer.width / box.width;
    this.select(this.renderer.pick(this.eye(), (x - box.left) * scale, (y - box.top) * scale));
  }

  /* ---- Controls ---- */

  togglePanel(shown = document.body.classList.contains("no-panel")) {
    document.body.classList.toggle("no-panel", !shown);
    $("panel-button").setAttribute("aria-expanded", shown);
    this.layOut();
  }

  setUpCommon(title, subtitle, version) {
    document.title = title;
    $("title").textContent = title;
    $("subtitle").textContent = subtitle;
    $("made-by").textContent = `Made by Slipcone ${version}.`;
    $("fit").addEventListener("click", () => this.fit());
    $("theme").addEventListener("click", () => this.setTheme(this.theme === "dark" ? "light" : "dark"));
    $("panel-button").addEventListener("click", () => this.togglePanel());
    $("help-button").addEventListener("click", () => $("help").showModal());
    $("keys").append(...KEYS.filter(([, , kind]) => !kind || kind === document.body.dataset.kind).flatMap(([keys, what]) => {
      const term = document.createElement("dt"), meaning = document.createElement("dd");
      term.append(...keys.split(" ").flatMap((key) => [Object.assign(document.createElement("kbd"), { textContent: key }), " "]));
      meaning.textContent = what;
      return [term, meaning];
    }));
    if (wishes.get("ui") === "0") document.body.classList.add("bare");
    if (wishes.get("ui") === "0" || innerWidth < 700) this.togglePanel(false);
    handlePointers(this.canvas, this.camera, { changed: () => { this.dirty = true; }, picked: (x, y) => this.pickAt(x, y), focused: (x, y) => this.focusOn(x, y) });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const { camera } = this, tag = event.target.tagName;
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open || tag === "SELECT" || (tag === "INPUT" && event.key !== " ")) return;
    if (event.key === " " && (tag === "BUTTON" || tag === "SUMMARY")) return;
    const move = (action) => () => {
      action();
      this.dirty = true;
    };
    const actions = {
      a: move(() => camera.orbit(10, 0)), d: move(() => camera.orbit(-10, 0)),
      w: move(() => camera.orbit(0, 6)), s: move(() => camera.orbit(0, -6)),
      "+": move(() => camera.zoom(0.85)), "=": move(() => camera.zoom(0.85)), "-": move(() => camera.zoom(1 / 0.85)),
      f: () => this.fit(), t: () => this.setTheme(this.theme === "dark" ? "light" : "dark"), p: () => this.togglePanel(),
      "?": () => $("help").showModal(), Escape: () => this.select(null), ...this.actions(event),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /* ---- For other scripts ---- */

  /* Where a point of the world is in the window. */
  project(point) {
    const box = this.canvas.getBoundingClientRect(), [x, y, , w] = transform(this.eye().matrix, point);
    return [box.left + ((x / w + 1) / 2) * box.width, box.top + ((1 - y / w) / 2) * box.height];
  }

  /* The picture as it is now: bytes of red, green, blue and alpha, from the top. */
  picture() {
    this.update();
    this.draw();
    const { gl, width, height } = this.renderer, bytes = new Uint8Array(4 * width * height), flipped = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    for (let row = 0; row < height; row++) flipped.set(bytes.subarray(4 * width * row, 4 * width * (row + 1)), 4 * width * (height - 1 - row));
    return { width, height, bytes: flipped };
  }
}
