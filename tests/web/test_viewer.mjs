/* The viewer in a browser: node test_viewer.mjs TOOL SCENES SCRATCH
 *
 * Pages of small scenes are made by the tool and worked as a reader would, with real events of mouse and
 * keyboard. Positions on the screen are worked out here, from the physics of the scene and the optics of
 * the view, not asked of the page. SCREENSHOTS=1 leaves pictures. Status 77: no browser. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Browser, findBrowser } from "../../tools/browser.mjs";

const [tool, scenes, scratch] = process.argv.slice(2).map((path) => resolve(path));
if (!findBrowser()) {
  console.log("no Chromium here");
  process.exit(77);
}
rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });

let failures = 0;
function check(what, passed, found = "") {
  console.log(`${passed ? "ok" : "FAIL"} ${what}${passed ? "" : `: ${JSON.stringify(found)}`}`);
  if (!passed) failures++;
}
const near = (a, b, within) => Math.abs(a - b) <= within;

function makePage(name, scene, ...flags) {
  const run = join(scratch, `${name}.h5`), page = join(scratch, `${name}.html`);
  execFileSync(tool, ["sim", scene, "--quiet", "--out", run, ...flags]);
  execFileSync(tool, ["view", run, "--out", page]);
  return page;
}

const browser = await Browser.launch();
const late = setTimeout(() => {
  console.log("FAIL the browser takes too long");
  browser.process.kill("SIGKILL");
  process.exit(1);
}, 270000);

async function open(path, hash, size = { width: 640, height: 480 }) {
  const page = await browser.open(`file://${path}#${hash}`, size);
  await page.evaluate("slipcone.ready.then((viewer) => { window.viewer = viewer; })");
  page.settled = () => page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))");
  page.text = (selector) => page.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`);
  page.box = (selector) => page.evaluate(`(({ left, top, width, height }) => ({ left, top, width, height }))(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);
  return page;
}

async function leave(name, page) {
  check(`${name}: no errors, warnings or requests`, page.troubles.length === 0, page.troubles);
  if (process.env.SCREENSHOTS) await page.screenshot(join(scratch, `${name}.png`));
  await page.close();
}

/* Middle of the pixels of a colour, in pixels from the top left: found by `test`, a JavaScript expression of
   r, g and b. */
const middleOf = (page, test) => page.evaluate(`(() => {
  const { width, height, bytes } = viewer.picture();
  let n = 0, x = 0, y = 0;
  for (let k = 0; k < width * height; k++) {
    const r = bytes[4 * k], g = bytes[4 * k + 1], b = bytes[4 * k + 2];
    if (${test}) { n++; x += k % width; y += Math.floor(k / width); }
  }
  return { n, x: x / n + 0.5, y: y / n + 0.5, width, height };
})()`);

/* ---- A ball that falls: where it is at t is known ---- */

async function testBall() {
  const path = makePage("ball", join(scenes, "bouncing-ball.yaml"), "--end", "0.8");
  const page = await open(path, "az=-90&el=0&ui=0&theme=light&contacts=0");
  const { target, distance } = await page.evaluate("({ target: viewer.camera.target, distance: viewer.camera.distance })");
  const isBall = "r > 1.45 * b && r > g + 30"; /* orange before greys */
  const radius = 0.1, fall = 9.81, tangent = Math.tan((15 * Math.PI) / 180);
  for (const t of [0, 0.1, 0.2, 0.3, 0.4, 0.45]) {
    await page.evaluate(`viewer.seek(${t}), viewer.need()`);
    const seen = await middleOf(page, isBall), scale = seen.height / 2 / tangent / distance;
    const x = seen.width / 2 + (0 - target[0]) * scale, y = seen.height / 2 - (1 + radius - (fall * t * t) / 2 - target[2]) * scale;
    check(`the ball is where it falls at t = ${t}`, near(seen.x, x, 1.5) && near(seen.y, y, 2), { seen, x, y });
    check(`and as large as it is at t = ${t}`, near(seen.n / (Math.PI * (radius * scale) ** 2), 1, 0.12), seen);
  }
  /* Between two frames too: the page draws the motion, not only the frames. */
  await page.evaluate("viewer.seek(0.2025), viewer.need()");
  await page.settled();
  const between = await page.evaluate("viewer.bodyAt(1)"), truth = 1.1 - (9.81 * (0.2 ** 2 + 0.205 ** 2)) / 4;
  check("between frames it moves on", near(between[2], truth, 1e-4), { between, truth });
  await leave("ball", page);
}

/* ---- Mouse and keyboard ---- */

async function testPicking(page) {
  await page.evaluate("viewer.go(30), viewer.need()");
  await page.settled();
  const at = await page.evaluate("viewer.project(viewer.bodyAt(2))");
  await page.key("c"); /* an impulse's arrow may lie over the middle of a box */
  await page.click(...at);
  await page.settled();
  check("a press picks the body there", (await page.text("#picked-title")) === "box/1", await page.text("#picked-title"));
  check("its figures are shown", /Position/.test(await page.text("#picked-figures")) && /m\/s/.test(await page.text("#picked-figures")));
  await page.key("c");
  const stage = await page.box("#stage");
  await page.click(stage.left + 12, stage.top + stage.height / 2);
  await page.settled();
  check("a press beside everything picks nothing", (await page.text("#picked-title")) === "Nothing picked", await page.text("#picked-title"));
  const contact = await page.evaluate(`(() => {
    const { contacts } = viewer.trajectory, set = contacts.of(viewer.when);
    let best = null; /* the strongest */
    for (let k = 0; k < set.count; k++) {
      const one = contacts.get(set, k);
      if (!best || one.size > best.size) best = { ...one, k };
    }
    const way = 0.5 * viewer.renderer.arrowLength * (viewer.trajectory.moves[best.bodies[0]] ? 1 : -1); /* into what moves */
    return { k: best.k, at: viewer.project(best.position.map((x, c) => x + way * best.impulse[c])) };
  })()`);
  await page.click(...contact.at);
  await page.settled();
  check("a press on an arrow picks the contact", /^Contact \d+$/.test(await page.text("#picked-title")), await page.text("#picked-title"));
  check("its status and impulse are shown", /stick|slip/.test(await page.text("#picked-figures")) && /N s/.test(await page.text("#picked-figures")));
  await page.key("Escape");
  check("Escape picks nothing", (await page.text("#picked-title")) === "Nothing picked");
  await page.key("n");
  check("n picks a body by the keyboard", (await page.text("#picked-title")) === "floor", await page.text("#picked-title"));
  await page.key("Escape");
}

async function testTime(page) {
  const frame = async () => {
    await page.settled();
    return Number(await page.evaluate("document.getElementById('view').dataset.frame"));
  };
  const frames = await page.evaluate("viewer.trajectory.frames"), bar = await page.box("#scrub");
  await page.click(bar.left + bar.width / 2, bar.top + bar.height / 2);
  check("the slider goes to the middle", near(await frame(), frames / 2, 0.03 * frames), await frame());
  await page.evaluate("document.activeElement.blur()");
  await page.key("End");
  check("End goes to the last frame", (await frame()) === frames - 1, await frame());
  await page.key("Home");
  check("Home goes to the first", (await frame()) === 0, await frame());
  await page.key("ArrowRight");
  await page.key("ArrowRight");
  check("arrows go by frames", (await frame()) === 2, await frame());
  const chart = await page.box("#energy-chart canvas");
  await page.click(chart.left + 46 + (chart.width - 54) * 0.25, chart.top + chart.height / 2);
  check("a press on a curve goes there", near(await frame(), frames / 4, 0.02 * frames), await frame());
  await page.key("Home");
  await page.key(" ", "Space");
  await page.evaluate("new Promise((done) => setTimeout(done, 1500))");
  const later = await frame();
  await page.key(" ", "Space");
  check("space plays", later > 0, later);
  check("and pauses", !(await page.evaluate("viewer.playing")));
}

async function testView(page) {
  const camera = () => page.evaluate("({ azimuth: viewer.camera.azimuth, elevation: viewer.camera.elevation, distance: viewer.camera.distance, target: viewer.camera.target })");
  const stage = await page.box("#stage"), middle = [stage.left + stage.width / 2, stage.top + stage.height / 2];
  const before = await camera();
  await page.drag(middle, [middle[0] + 60, middle[1] + 20]);
  const turned = await camera();
  check("a drag turns the view", turned.azimuth < before.azimuth - 5 && turned.elevation > before.elevation + 2, [before, turned]);
  await page.drag(middle, [middle[0] + 60, middle[1]], { modifiers: 8 });
  const moved = await camera();
  check("with shift it moves it", moved.azimuth === turned.azimuth && moved.target.some((x, c) => x !== turned.target[c]), [turned, moved]);
  await page.mouse("mouseWheel", ...middle, { deltaX: 0, deltaY: -200 });
  check("the wheel comes nearer", (await camera()).distance < moved.distance, await camera());
  await page.key("f");
  check("f shows everything again", near((await camera()).distance, before.distance, 0.5 * before.distance));
  await page.key("t");
  check("t changes the theme", (await page.evaluate("document.documentElement.dataset.theme")) === "dark");
  await page.key("t");
  const contacts = () => page.evaluate("document.getElementById('contacts-button').getAttribute('aria-pressed')");
  const shown = await contacts();
  await page.key("c");
  check("c switches impulses", (await contacts()) !== shown);
  await page.key("c");
  await page.key("?", "Slash");
  check("? shows the keys", (await page.evaluate("document.getElementById('help').open")) && /play or pause/.test(await page.text("#keys")));
  await page.evaluate("document.getElementById('help').close()");
}

/* Everything that can be worked has a name for those who cannot see it. */
async function testNames(page) {
  const nameless = await page.evaluate(`[...document.querySelectorAll("button, input, select, canvas[role]")].filter((node) =>
    !(node.getAttribute("aria-label") || node.closest("label")?.textContent.trim() || node.textContent.trim())).map((node) => node.outerHTML)`);
  check("all controls have names", nameless.length === 0, nameless);
}

async function testStack() {
  const scene = join(scratch, "stack.yaml");
  writeFileSync(scene, `slipcone: 1
title: Stack
gravity: [0, 0, -9.81]
time: {step: 0.01, end: 1}
contacts: [{friction: 0.5}]
bodies:
  - {name: floor, fixed: true, shape: {plane: [0, 0, 1]}}
  - {name: box, shape: {box: [1, 1, 1]}, position: [0, 0, 0.6], many: {stack: 3, spacing: 1.1}}
`);
  const page = await open(makePage("stack", scene), "theme=light&contacts=1", { width: 960, height: 600 });
  await testPicking(page);
  await testTime(page);
  await testView(page);
  await testNames(page);
  await leave("stack", page);
}

/* ---- Other scenes ---- */

/* Every kind of shape is drawn: the pixels at its middle are not those of the background. */
async function testShapes() {
  const scene = join(scratch, "shapes.yaml"), hull = "[[0.3, 0, -0.2], [-0.3, 0.1, -0.2], [0, -0.3, -0.2], [0, 0, 0.4]]";
  writeFileSync(join(scratch, "wedge.obj"), "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 0 0.5\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 1 4 3\nf 1 3 2\n");
  writeFileSync(scene, `slipcone: 1
title: '</script><b id="broken">'
gravity: [0, 0, 0]
time: {step: 0.01, end: 0.05}
contacts: [{friction: 0.5}]
bodies:
  - {name: sphere, shape: {sphere: 0.3}, position: [0, 0, 1], spin: [1, 0, 0]}
  - {name: box, shape: {box: [0.5, 0.5, 0.5]}, position: [1, 0, 1], spin: [1, 0, 0]}
  - {name: capsule, shape: {capsule: {radius: 0.2, length: 0.4}}, position: [2, 0, 1], spin: [1, 0, 0]}
  - {name: cylinder, shape: {cylinder: {radius: 0.3, length: 0.4}}, position: [3, 0, 1], spin: [1, 0, 0]}
  - {name: hull, shape: {hull: ${hull}}, position: [4, 0, 1], spin: [0, 0, 1]}
  - {name: compound, shape: {compound: [{box: [0.2, 0.2, 0.8]}, {sphere: 0.2, position: [0, 0, 0.4]}]}, position: [5, 0, 1], spin: [1, 0, 0]}
  - {name: mesh, fixed: true, shape: {mesh: wedge.obj}, position: [6.5, 0, 0.8]}
`);
  const page = await open(makePage("shapes", scene), "az=-90&el=5&ui=0&theme=light");
  const missing = await page.evaluate(`(() => {
    const { names, bodies } = viewer.trajectory, { width, height, bytes } = viewer.picture(), missing = [];
    const sky = [bytes[4 * (width * 5 + 5)], bytes[4 * (width * 5 + 5) + 1]];
    for (let body = 0; body < bodies; body++) {
      const p = viewer.bodyAt(body);
      if (names[body] === "mesh") p[2] += 0.1;
      const [x, y] = viewer.project(p), at = 4 * (Math.floor(y) * width + Math.floor(x));
      const found = viewer.renderer.pick(viewer.camera.eye(width / height), x, y);
      if (found?.number !== body || Math.abs(bytes[at] - sky[0]) + Math.abs(bytes[at + 1] - sky[1]) < 20) missing.push([names[body], found, bytes.slice(at, at + 3).join(), sky.join()]);
    }
    return missing;
  })()`);
  check("every kind of shape is drawn where it is", missing.length === 0, missing);
  check("texts of the scene stay texts", (await page.evaluate("document.getElementById('broken')")) === null && /broken/.test(await page.text("#title")));
  await leave("shapes", page);
}

async function testFlat() {
  const page = await open(makePage("flat", join(scenes, "painleve-rod.yaml")), "t=0.1&theme=dark", { width: 390, height: 700, touch: true });
  const seen = await middleOf(page, "r > 1.45 * b && r > g + 30");
  check("a flat scene is drawn", seen.n > 50, seen);
  check("a phone has room for the picture", (await page.box("#stage")).height > 400, await page.box("#stage"));
  check("and nothing is wider than it", await page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
  await leave("flat", page);
}

/* ---- A deformable body ---- */

/* A column that is pulled: at the end its top is 0.2 m higher, which pixels show, and its stress E times
   strain, which colours and the bar say. */
async function testSoft() {
  const scene = join(scratch, "soft.yaml");
  writeFileSync(scene, `slipcone: 1
title: Pulled
gravity: [0, 0, 0]
time: {step: 1, end: 4, inertia: none}
contacts: [{friction: 0.5}]
bodies:
  - name: column
    deformable: {box: [0.4, 0.4, 1], cells: [2, 2, 5], young: 1.0e+6, poisson: 0,
                 hold: [{at: zmin}, {at: zmax, velocity: [0, 0, 0.05]}]}
`);
  const page = await open(makePage("soft", scene), "az=-90&el=0&theme=light&colour=bodies");
  const isColumn = "r > 1.25 * b && r > g + 20";
  await page.evaluate("viewer.seek(0), viewer.need()");
  const before = await middleOf(page, isColumn);
  await page.evaluate("viewer.seek(4), viewer.need()");
  const after = await middleOf(page, isColumn);
  check("a pulled column is longer by its displacement", near(after.n / before.n, 1.2, 0.02), { before, after });
  const hidden = () => page.evaluate("document.getElementById('bar').hidden");
  check("without a field there is no bar", await hidden());
  await page.evaluate("viewer.setColour('stress')");
  check("with one there is", !(await hidden()));
  check("which says what it is", (await page.text("#bar-title")) === "Von Mises stress" && /200 kPa$/.test(await page.text("#bar-marks")), await page.text("#bar-marks"));
  const most = await page.evaluate("viewer.trajectory.soft.mostOf(0, 1)");
  check("stress is that of the strain", near(most, 2e5, 1e3), most);
  const red = await middleOf(page, "r > 1.5 * b && r > 1.5 * g");
  check("where it is largest the ramp ends", near(red.n / after.n, 1, 0.1), { red, after });
  await page.evaluate("viewer.seek(2), viewer.need()");
  check("and before it does not", (await middleOf(page, "r > 1.5 * b && r > 1.5 * g")).n < 50);
  await page.evaluate("viewer.setColour('displacement')");
  check("displacement is about the centre of mass, in metres", /100 mm$/.test(await page.text("#bar-marks")), await page.text("#bar-marks"));
  await page.key("v");
  check("v goes on to the next", (await page.text("#bar-title")) === "Von Mises stress", await page.text("#bar-title"));
  await page.key("n");
  check("its figures are shown", /Von Mises stress/.test(await page.text("#picked-figures")), await page.text("#picked-figures"));
  await testNames(page);
  await leave("soft", page);
}

/* ---- A problem and its graph ---- */

async function testProblem() {
  const problem = join(scratch, "pile.hdf5"), path = join(scratch, "problem.html");
  execFileSync(tool, ["generate", "pile", "--contacts", "60", "--out", problem]);
  execFileSync(tool, ["view", problem, "--solve", "--tol", "1e-8", "--out", path]);
  const told = JSON.parse(execFileSync(tool, ["solve", "--json", "--tol", "1e-8", problem], { encoding: "utf8" }));
  const page = await open(path, "theme=light", { width: 960, height: 600 });
  const counts = await page.evaluate(`Object.fromEntries([...document.querySelectorAll("#legend li")].map((item) => [item.querySelector("i").dataset.status, Number(item.querySelector("b").textContent)]))`);
  check("statuses are those of the solver", ["open", "stick", "slip"].every((name) => counts[name] === told[name]), { counts, told });
  const residual = await page.evaluate("Math.hypot(...viewer.problem.errors)");
  check("errors of contacts add up to that of the problem", near(residual / told.error, 1, 1e-6), { residual, told: told.error });
  const apart = await page.evaluate(`(() => {
    let least = Infinity;
    for (let a = 0; a < viewer.problem.contacts; a++) for (let b = 0; b < a; b++) least = Math.min(least, Math.hypot(...viewer.place[a].map((x, c) => x - viewer.place[b][c])));
    return least;
  })()`);
  check("no two contacts are at one place", apart > 0.2, apart);
  await page.evaluate("document.querySelector('#worst button').click()");
  const worst = await page.text("#picked-title");
  check("the worst contact is shown", worst === `Contact ${await page.evaluate("viewer.problem.errors.indexOf(Math.max(...viewer.problem.errors))")}`, worst);
  await page.key("Escape");
  const nearest = await page.evaluate(`(() => {
    const { eye } = viewer.eye(), far = (k) => Math.hypot(...viewer.place[k].map((x, c) => x - eye[c]));
    return [...Array(viewer.problem.contacts).keys()].reduce((a, b) => (far(b) < far(a) ? b : a));
  })()`);
  await page.click(...await page.evaluate(`viewer.project(viewer.bodyAt(${nearest}))`));
  check("a press picks a contact", (await page.text("#picked-title")) === `Contact ${nearest}`, await page.text("#picked-title"));
  check("with its impulse and velocity", /Impulse r/.test(await page.text("#picked-figures")) && /Velocity u/.test(await page.text("#picked-figures")));
  await page.key("v");
  check("v colours by error", (await page.evaluate("document.getElementById('colour').value")) === "error");
  await testNames(page);
  await leave("problem", page);
}

await testBall();
await testStack();
await testShapes();
await testFlat();
await testSoft();
await testProblem();
clearTimeout(late);
await browser.close();
process.exit(failures ? 1 : 0);
