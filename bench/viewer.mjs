/* When a page shows its first frame, and how long a picture takes: viewer.mjs PAGE. Drawn in software. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Browser } from "../tools/browser.mjs";

const path = resolve(process.argv[2]), bytes = readFileSync(path).length, ready = [];
const browser = await Browser.launch();
let figures, picture;
for (let k = 0; k < 3; k++) {
  const page = await browser.open(`file://${path}`);
  figures = await page.evaluate("slipcone.ready.then(({ trajectory }) => [trajectory.bodies, trajectory.frames])");
  ready.push(Number(await page.evaluate("document.documentElement.dataset.ready")) / 1000);
  picture = await page.evaluate("slipcone.ready.then((viewer) => { viewer.picture(); const start = performance.now(); viewer.picture(); return performance.now() - start; })");
  await page.close();
}
await browser.close();
const [bodies, frames] = figures;
console.log(`${bodies} bodies, ${frames} frames: ${(bytes / 1e6).toFixed(2)} MB, ${(bytes / bodies / frames).toFixed(2)} bytes a body and frame`);
console.log(`first frame after ${Math.min(...ready).toFixed(2)} s (of ${ready.map((s) => s.toFixed(2)).join(", ")}); a picture with everything takes ${Math.round(picture)} ms`);
process.exit(bytes < 15e6 && Math.min(...ready) < 3 ? 0 : 1);
