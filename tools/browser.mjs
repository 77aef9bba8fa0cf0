/* Headless Chromium for tests and pictures, driven through a pipe with the DevTools protocol: nothing
   but Node is needed. WebGL is drawn in software, so that pictures are the same on every machine. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = ["--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--disable-extensions", "--hide-scrollbars",
  "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--remote-debugging-pipe"];

export function findBrowser() {
  return ["chromium", "chromium-browser", "google-chrome"].find((name) => spawnSync("which", [name]).status === 0);
}

export class Browser {
  static async launch() {
    const name = findBrowser();
    if (!name) throw new Error("there is no Chromium here (Debian package chromium)");
    const browser = new Browser();
    browser.folder = mkdtempSync(join(tmpdir(), "slipcone-browser-"));
    browser.process = spawn(name, [...FLAGS, `--user-data-dir=${browser.folder}`, "about:blank"],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.calls = new Map();
    browser.pages = new Map();
    browser.next = 1;
    let text = "";
    browser.process.stdio[4].on("data", (bytes) => {
      const parts = (text + bytes).split("\0");
      text = parts.pop();
      for (const part of parts) browser.receive(JSON.parse(part));
    });
    return browser;
  }

  receive(message) {
    if (!message.id) return this.pages.get(message.sessionId)?.event(message);
    const { resolve, reject } = this.calls.get(message.id);
    this.calls.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.calls.set(id, { resolve, reject }));
  }

  /* Open an address; resolves when the page has loaded. */
  async open(url, { width = 1300, height = 850, ratio = 1, dark = false, touch = false } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    this.pages.set(sessionId, page);
    for (const domain of ["Page", "Runtime", "Log"]) await page.send(`${domain}.enable`);
    await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile: touch });
    if (touch) await page.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    const loaded = new Promise((resolve) => { page.loaded = resolve; });
    await page.send("Page.navigate", { url });
    await loaded;
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.send("Browser.close").catch(() => {});
    const late = setTimeout(() => this.process.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(late);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(browser, session, target) {
    Object.assign(this, { browser, session, target, troubles: [], requests: [] });
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  event({ method, params }) {
    if (method === "Page.loadEventFired") this.loaded?.();
    else if (method === "Runtime.exceptionThrown")
      this.troubles.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
    else if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) this.troubles.push(params.entry.text);
    else if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
      this.troubles.push(params.args.map((one) => one.value ?? one.description).join(" "));
  }

  /* The value of an expression, or of the promise that it gives. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
    return result.value;
  }

  mouse(type, x, y, more = {}) {
    return this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, ...more });
  }

  async click(x, y) {
    await this.mouse("mousePressed", x, y, { buttons: 1 });
    await this.mouse("mouseReleased", x, y);
  }

  async drag(from, to, more = {}) {
    await this.mouse("mousePressed", ...from, { buttons: 1, ...more });
    for (let k = 1; k <= 4; k++)
      await this.mouse("mouseMoved", ...from.map((x, c) => x + ((to[c] - x) * k) / 4), { buttons: 1, ...more });
    await this.mouse("mouseReleased", ...to, more);
  }

  async key(key, code = key) {
    const text = key.length === 1 ? key : undefined;
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key, code, text });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code });
  }

  async screenshot(path, format = "png") {
    const { data } = await this.send("Page.captureScreenshot", { format, ...(format === "jpeg" ? { quality: 88 } : {}) });
    writeFileSync(path, Buffer.from(data, "base64"));
  }

  async close() {
    await this.browser.send("Target.closeTarget", { targetId: this.target });
    this.browser.pages.delete(this.session);
  }
}
