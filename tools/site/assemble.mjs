/* What the site is made of, in a folder that mkdocs reads: assemble.mjs TOOL ROOT WORK
 *
 * The documents keep their places, so that their links hold; a page for each scene has its picture, the
 * viewer and its text. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Browser } from "../browser.mjs";

const [tool, root, work] = process.argv.slice(2);
const seconds = Number(process.env.SCENE_SECONDS || 60);
const content = join(work, "content"), gallery = join(content, "gallery");
mkdirSync(gallery, { recursive: true });
const every = readdirSync(join(root, "scenes")).filter((name) => name.endsWith(".yaml")).map((name) => basename(name, ".yaml"));
const wanted = process.env.SCENES ? process.env.SCENES.split(/[ ,]+/).filter(Boolean) : every;

for (const name of ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"]) copyFileSync(join(root, name), join(content, name));
for (const folder of ["docs", "scenes", "examples", "include"]) cpSync(join(root, folder), join(content, folder), { recursive: true });
cpSync(join(root, "bench", "campaign.txt"), join(content, "bench", "campaign.txt"));

/* ---- Scenes ---- */

/* The comment at the top of a scene, and its title. */
function describe(text) {
  const lines = text.split("\n"), end = lines.findIndex((line) => !line.startsWith("#"));
  const title = /^title:\s*["']?(.*?)["']?\s*$/m.exec(text)?.[1] || "";
  return { title, about: lines.slice(0, Math.max(end, 0)).map((line) => line.replace(/^#\s?/, "")).join(" ") };
}

/* A moment worth a picture: the middle of what moves. */
function momentOf(curve, time) {
  const most = Math.max(...curve), lively = time.filter((_, k) => curve[k] > 0.25 * most);
  return lively.length ? lively[Math.floor(lively.length / 2)] : time[Math.floor(time.length / 2)];
}

async function picture(browser, page, path) {
  const opened = await browser.open(`file://${page}#ui=0&contacts=0&theme=light`, { width: 640, height: 400 });
  try {
    await opened.evaluate("slipcone.ready.then((viewer) => { window.viewer = viewer; })");
    const [curve, time] = await opened.evaluate("[Array.from(viewer.trajectory.curve.kinetic), Array.from(viewer.trajectory.time)]");
    await opened.evaluate(`viewer.seek(${momentOf(curve, time)}), viewer.need().then(() => { viewer.picture(); })`);
    await opened.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    await opened.screenshot(path, "jpeg");
    if (opened.troubles.length) throw new Error(`${basename(page)}: ${opened.troubles.join("; ")}`);
  } finally {
    await opened.close();
  }
}

function scenePage(name, { title, about }, text, summary) {
  return `# ${title}

${about}

<p class="viewer"><iframe src="pages/${name}.html" title="${title}, played" loading="lazy" allowfullscreen></iframe></p>

[Open it alone](pages/${name}.html) · [the scene](../scenes/${name}.yaml) · [all scenes](index.md)

## What the run says

\`\`\`
${summary.trim()}
\`\`\`

## The scene

\`\`\`yaml
${text.trimEnd()}
\`\`\`
`;
}

/* Run it for some seconds at most: an interrupt leaves a trajectory up to there. A step that fails leaves its
   problem in the folder of the run. */
function simulate(name, run) {
  const scene = join(root, "scenes", `${name}.yaml`);
  const { stdout } = spawnSync("timeout", ["-s", "INT", String(seconds), tool, "sim", scene, "--out", run], { encoding: "utf8", cwd: work });
  if (!existsSync(run)) throw new Error(`${name}: the run left no trajectory`);
  return stdout.split("\n").filter((line) => !line.includes(run)).join("\n").replaceAll(scene, `scenes/${name}.yaml`);
}

const browser = await Browser.launch(), shown = [];
mkdirSync(join(gallery, "pages"));
for (const name of wanted) {
  const text = readFileSync(join(root, "scenes", `${name}.yaml`), "utf8"), about = describe(text);
  const run = join(work, `${name}.h5`), page = join(gallery, "pages", `${name}.html`);
  const summary = simulate(name, run);
  execFileSync(tool, ["view", run, "--out", page]);
  rmSync(run);
  await picture(browser, page, join(gallery, `${name}.jpg`));
  writeFileSync(join(gallery, `${name}.md`), scenePage(name, about, text, summary));
  shown.push({ name, ...about });
  console.log(`${name}: done (${shown.length} of ${wanted.length})`);
}
await browser.close();

/* ---- Pages of the site ---- */

const cards = shown.map(({ name, title, about }) => `<a class="card" href="${name}.html"><img src="${name}.jpg" width="640" height="400" alt="${title}" loading="lazy"><b>${title}</b><span>${about.split(/(?<=\.) /)[0]}</span></a>`);
writeFileSync(join(gallery, "index.md"), `# Gallery\n\nEvery picture is a page that plays: exact friction at each contact, and the error of each step.\n\n<div class="cards">\n${cards.join("\n")}\n</div>\n`);
writeFileSync(join(content, "scenes", "index.md"), `# Scenes\n\n${every.map((name) => `- [${name}](${name}.yaml)${shown.some((one) => one.name === name) ? ` ([played](../gallery/${name}.md))` : ""}`).join("\n")}\n`);
writeFileSync(join(content, "site.css"), `.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
.card { display: flex; flex-direction: column; gap: .15rem; color: inherit; border: 1px solid rgb(128 128 128 / .25); border-radius: .5rem; overflow: hidden; padding-bottom: .6rem; }
.card img { width: 100%; height: auto; display: block; }
.card b, .card span { padding: 0 .7rem; }
.card span { font-size: .8em; opacity: .75; }
.viewer iframe { width: 100%; aspect-ratio: 16 / 10; border: 1px solid rgb(128 128 128 / .25); border-radius: .5rem; }
`);

const titleOf = (file) => /^#\s+(.*)$/m.exec(readFileSync(join(content, file), "utf8"))?.[1] || file;
const list = (folder) => readdirSync(join(content, folder)).filter((name) => name.endsWith(".md") && name !== "README.md").map((name) => `${folder}/${name}`);
const entry = (file, depth) => `${"  ".repeat(depth)}- ${JSON.stringify(titleOf(file))}: ${file}`;
writeFileSync(join(work, "mkdocs.yml"), `site_name: Slipcone
docs_dir: content
use_directory_urls: false
theme:
  name: material
  font: false
  palette:
    - {media: "(prefers-color-scheme: light)", scheme: default, primary: blue grey, toggle: {icon: material/weather-night, name: dark}}
    - {media: "(prefers-color-scheme: dark)", scheme: slate, primary: blue grey, toggle: {icon: material/weather-sunny, name: light}}
  features: [navigation.tabs, navigation.top]
plugins: [search]
markdown_extensions: [tables, toc, md_in_html]
extra_css: [site.css]
nav:
  - Home: README.md
  - Gallery:
    - gallery/index.md
${shown.map(({ name, title }) => `    - ${JSON.stringify(title)}: gallery/${name}.md`).join("\n")}
  - Documents:
${list("docs").map((file) => entry(file, 2)).join("\n")}
    - Methods:
      - docs/methods/README.md
${list("docs/methods").map((file) => entry(file, 3)).join("\n")}
  - API: api/index.html
  - Changes: CHANGELOG.md
  - Contributing: CONTRIBUTING.md
`);
