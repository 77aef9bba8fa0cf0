/* The page of a trajectory: time, contacts, what is picked. `window.slipcone` is for other scripts. */

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];

class Viewer extends Stand {
  constructor(trajectory) {
    super(trajectory.dimension === 2);
    Object.assign(this, { trajectory, when: 0, playing: false, picked: null, colourMode: "bodies", slow: 0 });
  }

  async start() {
    const { trajectory } = this;
    await trajectory.motion.load(0);
    this.stage = new Stage(trajectory, this.renderer);
    this.stage.setBounds();
    this.camera.reach = 6 * this.stage.size;
    this.charts = chartsOf(trajectory, (t) => this.seek(t));
    this.setUpTime();
    this.setUpControls();
    this.setTheme(this.theme);
    this.showContacts(wishes.has("contacts") ? wishes.get("contacts") !== "0" : trajectory.contacts.stride > 0 && trajectory.bodies <= 300);
    this.layOut();
    this.fit();
    if (wish("t") === wish("t")) this.when = this.frameAt(wish("t"));
    if (trajectory.soft) this.setColour("stress");
    if ([...$("colour").options].some(({ value }) => value === wishes.get("colour"))) this.setColour(wishes.get("colour"));
    trajectory.contacts.onpart = () => this.contactsArrived();
    trajectory.contacts.ready.then(() => this.contactsArrived());
    await this.need();
    this.begin();
  }

  /* ---- Time ---- */

  get time() {
    const { time } = this.trajectory, k = Math.floor(this.when), next = Math.min(k + 1, time.length - 1);
    return mix(time[k], time[next], this.when - k);
  }

  frameAt(t) {
    const { time } = this.trajectory;
    let low = 0, high = time.length - 1;
    if (t <= time[0]) return 0;
    if (t >= time[high]) return high;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle] <= t) low = middle;
      else high = middle;
    }
    return low + (t - time[low]) / (time[high] - time[low]);
  }

  seek(t) {
    this.go(this.frameAt(t));
  }

  go(frame) {
    this.when = clamp(frame, 0, this.trajectory.frames - 1);
    this.dirty = true;
    this.need();
  }

  step(frames) {
    this.pause();
    this.go(Math.round(this.when) + frames);
  }

  play() {
    if (this.when >= this.trajectory.frames - 1) this.when = 0;
    this.playing = this.trajectory.frames > 1;
    this.showPlaying();
  }

  pause() {
    this.playing = false;
    this.showPlaying();
    this.restoreQuality();
  }

  showPlaying() {
    $("play").classList.toggle("playing", this.playing);
    $("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  /* The blocks around the present frame, and the next one while it plays. */
  async need() {
    const { motion, soft, frames } = this.trajectory, frame = Math.floor(this.when);
    const wanted = (length) => [frame, Math.min(frame + 1, frames - 1), ...(this.playing ? [Math.min(frame + length, frames - 1)] : [])];
    await Promise.all(wanted(motion.length).map((one) => motion.load(one)));
    if (soft) await Promise.all(wanted(soft.length).map((one) => soft.load(one)));
    this.dirty = true;
  }

  setUpTime() {
    const { frames, time } = this.trajectory, length = time[frames - 1] - time[0];
    const wanted = length > 0 ? (length < 3 ? length / 4 : length > 40 ? length / 25 : 1) : 1;
    this.speed = SPEEDS.reduce((best, one) => (Math.abs(Math.log(one / wanted)) < Math.abs(Math.log(best / wanted)) ? one : best), 1);
    $("speed").append(...SPEEDS.map((speed) => new Option(speed === 1 ? "real time" : `× ${speed}`, speed, false, speed === this.speed)));
    $("speed").addEventListener("change", () => { this.speed = Number($("speed").value); });
    $("scrub").max = frames - 1;
    $("scrub").addEventListener("input", () => {
      this.go(Number($("scrub").value));
    });
    $("play").addEventListener("click", () => (this.playing ? this.pause() : this.play()));
    $("back").addEventListener("click", () => this.step(-1));
    $("forth").addEventListener("click", () => this.step(1));
  }

  changeSpeed(by) {
    this.speed = SPEEDS[clamp(SPEEDS.indexOf(this.speed) + by, 0, SPEEDS.length - 1)];
    $("speed").value = this.speed;
  }

  /* ---- Drawing ---- */

  passing(now) {
    const passed = Math.min(now - (this.last ?? now), 250) / 1000, end = this.trajectory.frames - 1;
    this.last = now;
    if (!this.playing) return;
    this.when = Math.min(this.frameAt(this.time + passed * this.speed), end);
    this.dirty = true;
    this.need();
    if (this.when >= end) this.pause();
    this.watchSpeed(passed);
  }

  /* Where drawing is slow, motion is shown with less; a still picture gets everything. */
  watchSpeed(passed) {
    this.slow = passed > 0.07 ? this.slow + 1 : Math.max(0, this.slow - 0.25);
    if (this.slow < 5 || (this.renderer.quality === 0 && this.coarse)) return;
    this.slow = 0;
    if (this.renderer.quality > 0) this.renderer.quality--;
    else this.coarse = true;
    this.layOut();
  }

  restoreQuality() {
    this.renderer.quality = 2;
    this.coarse = false;
    this.slow = 0;
    this.layOut();
  }

  resized() {
    for (const chart of this.charts || []) chart.paint();
  }

  themed() {
    this.resized();
  }

  /* Everything that depends on the frame; false where its data are not there yet. */
  update() {
    const { trajectory, renderer } = this, frame = Math.floor(this.when);
    const next = Math.min(frame + 1, trajectory.frames - 1), interval = trajectory.time[next] - trajectory.time[frame];
    if (!trajectory.motion.read(this.when, interval, renderer.poseStore)) return false;
    if (trajectory.soft && !trajectory.soft.read(this.when)) return false;
    renderer.uploadPoses();
    this.stage.placePlanes();
    if (this.colourMode === "speed" || !this.coloured) this.stage.colour(this.colourMode, this.theme);
    this.coloured = true;
    if (trajectory.soft) this.stage.deform(this.field);
    this.updateContacts();
    this.showTime();
    this.showPicked();
    return true;
  }

  /* The number of the field that colours deformable bodies, or -1. */
  get field() {
    return FIELDS.findIndex(([name]) => name === this.colourMode);
  }

  setColour(mode) {
    super.setColour(mode);
    const { soft } = this.trajectory, field = soft ? this.field : -1;
    $("bar").hidden = field < 0;
    if (field < 0) return;
    const [, , title, unitName] = FIELDS[field], most = soft.most[field];
    $("bar-title").textContent = title;
    $("bar-ramp").style.background = `linear-gradient(to right, ${RAMP.join(", ")})`;
    $("bar-marks").replaceChildren(...[0, 0.5, 1].map((share) => Object.assign(document.createElement("span"), { textContent: share ? withUnit(share * most, unitName) : "0" })));
  }

  showTime() {
    const { trajectory } = this, t = this.time, digits = clamp(Math.ceil(-Math.log10((trajectory.time.at(-1) - trajectory.time[0]) / 300 || 1)), 0, 6);
    $("scrub").value = Math.round(this.when);
    $("scrub").setAttribute("aria-valuetext", `${t.toFixed(digits)} seconds`);
    $("clock").innerHTML = `<b>${t.toFixed(digits)}</b> / ${trajectory.time.at(-1).toFixed(digits)} s`;
    for (const chart of this.charts) chart.follow(this.when, t);
    Object.assign(this.canvas.dataset, { time: t, frame: Math.round(this.when) });
  }

  /* ---- Contacts ---- */

  contactsArrived() {
    this.contactFrame = undefined;
    this.typical = undefined;
    this.dirty = true;
  }

  showContacts(shown) {
    this.renderer.showContacts = shown;
    $("contacts-button").setAttribute("aria-pressed", shown);
    $("contacts-button").disabled = !this.trajectory.contacts.stride;
    $("legend").hidden = !shown;
    this.dirty = true;
  }

  updateContacts() {
    const { trajectory, renderer } = this, { contacts } = trajectory, at = contacts.frameFor(this.when);
    this.typical ??= contacts.typical();
    renderer.arrowLength = (1.7 * this.arrowSize() * 10 ** (Number($("arrows").value) / 2)) / this.typical;
    renderer.arrowThick = 0.09 * this.arrowSize();
    if (at === this.contactFrame) return;
    this.contactFrame = at;
    if (this.picked?.kind === "contact") this.picked = null;
    renderer.chosen = -1;
    const set = contacts.of(this.when), counts = [0, 0, 0], numbers = new Float32Array(set ? 7 * set.count : 0);
    for (let k = 0; set && k < set.count; k++) {
      const { bodies, position, impulse, status } = contacts.get(set, k);
      const turned = !trajectory.moves[bodies[0]] && trajectory.moves[bodies[1]] ? -1 : 1; /* into what moves */
      numbers.set([...position, ...scaled(impulse, turned), status], 7 * k);
      counts[status]++;
    }
    renderer.setContacts(numbers);
    showCounts(counts);
  }

  arrowSize() {
    return clamp(this.stage.bodySize, 0.015 * this.stage.size, 0.2 * this.stage.size);
  }

  /* ---- Picking ---- */

  select(found) {
    this.picked = found;
    this.renderer.selected = found?.kind === "body" ? found.number : -1;
    this.renderer.chosen = found?.kind === "contact" ? found.number : -1;
    this.dirty = true;
    this.showPicked();
    $("live").textContent = found ? `${$("picked-title").textContent} picked` : "Nothing picked";
  }

  showPicked() {
    const { trajectory, picked } = this, { contacts } = trajectory;
    const rows = picked?.kind === "contact" ? contactRows(trajectory, contacts, this.when, picked.number)
      : picked ? bodyRows(trajectory, contacts, this.when, picked.number) : null;
    $("picked-title").textContent = !picked || !rows ? "Nothing picked" : picked.kind === "body" ? trajectory.names[picked.number] || `body ${picked.number}` : `Contact ${picked.number}`;
    $("picked-hint").hidden = Boolean(rows);
    showRows($("picked-figures"), rows || []);
  }

  focusOn(x, y) {
    this.pickAt(x, y);
    if (this.picked?.kind !== "body") return;
    const at = 8 * this.picked.number, store = this.renderer.poseStore;
    this.camera.target = Array.from(store.subarray(at, at + 3));
    this.camera.distance = Math.min(this.camera.distance, (6 * Math.max(this.stage.reach[this.picked.number], 1e-3 * this.stage.size)) / TANGENT);
    this.dirty = true;
  }

  pickNext(by) {
    const { bodies } = this.trajectory, now = this.picked?.kind === "body" ? this.picked.number : by > 0 ? -1 : bodies;
    this.select({ kind: "body", number: (now + by + bodies) % bodies });
  }

  /* ---- The rest of the controls ---- */

  fit() {
    this.camera.fitBox(this.stage.low, this.stage.high, this.renderer.width / this.renderer.height);
    this.dirty = true;
  }

  setUpControls() {
    const { trajectory } = this, { bodies, frames } = trajectory;
    this.setUpCommon(trajectory.title, `${bodies.toLocaleString("en")} bodies, ${frames.toLocaleString("en")} frames${this.stage.grid ? `, grid of ${shortNumber(this.stage.grid)} m` : ""}`, trajectory.version);
    if (trajectory.contacts.stride > 1) $("made-by").textContent += ` Contacts of every ${trajectory.contacts.stride}th frame.`;
    $("scene-text").textContent = trajectory.scene;
    $("scene-section").querySelector("details").hidden = !trajectory.scene;
    $("colour").append(new Option("by body", "bodies"), new Option("by speed", "speed"));
    if (trajectory.soft) $("colour").append(...FIELDS.map(([name, label]) => new Option(label, name)));
    $("colour").addEventListener("change", () => this.setColour($("colour").value));
    $("arrows").addEventListener("input", () => { this.dirty = true; });
    $("contacts-button").addEventListener("click", () => this.showContacts(!this.renderer.showContacts));
  }

  actions(event) {
    return {
      " ": () => (this.playing ? this.pause() : this.play()),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1), ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      Home: () => this.go(0), End: () => this.go(this.trajectory.frames - 1),
      "[": () => this.changeSpeed(-1), "]": () => this.changeSpeed(1),
      c: () => this.trajectory.contacts.stride && this.showContacts(!this.renderer.showContacts),
      n: () => this.pickNext(1), b: () => this.pickNext(-1), v: () => this.nextColour(),
    };
  }

  nextColour() {
    const modes = [...$("colour").options].map(({ value }) => value);
    this.setColour(modes[(modes.indexOf(this.colourMode) + 1) % modes.length]);
  }

  bodyAt(number) {
    return Array.from(this.renderer.poseStore.subarray(8 * number, 8 * number + 3));
  }
}

function complain(error) {
  $("notice").textContent = error.message || String(error);
  $("notice").hidden = false;
  throw error;
}

async function open() {
  const words = await texts("texts");
  document.body.dataset.kind = words[0];
  const viewer = words[0] === "problem" ? new ProblemViewer(await loadProblem(words)) : new Viewer(await loadTrajectory(words));
  await viewer.start();
  document.documentElement.dataset.ready = Math.round(performance.now());
  return viewer;
}

window.slipcone = { ready: open().catch(complain) };
