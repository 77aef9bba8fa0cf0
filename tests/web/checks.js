/* Put at the end of a report under test: works the page as a reader would, and writes what it
   finds into an element "checks", a line "ok ..." or "FAIL ..." per check and "done" at the end. */
const report = [];

function check(what, passed, found = "") {
  report.push(`${passed ? "ok" : "FAIL"} ${what}${passed ? "" : `: ${found}`}`);
}

function runChecks(checks) {
  const loaded = performance.now();
  for (const [name, body] of Object.entries(checks))
    try {
      body();
    } catch (error) {
      check(name, false, error.stack);
    }
  check("no errors", window.troubles.length === 0, window.troubles.join("; "));
  report.push(`loaded ${Math.round(loaded)} ms`, "done");
  const pre = document.createElement("pre");
  pre.id = "checks";
  pre.textContent = `\n${report.join("\n")}\n`;
  document.body.append(pre);
}

const all = (selector) => [...document.querySelectorAll(selector)];
const one = (selector) => document.querySelector(selector);
const chart = () => one("#profile-chart svg");
const curves = () => all("#profile-chart .curve");
const legendItem = (name) => all("#legend li").find((item) => item.querySelector(".name").textContent === name);
const shareOf = (name) => Number.parseFloat(legendItem(name).querySelector(".value").textContent) / 100;

function pointer(type, node, x, y) {
  const area = node.getBoundingClientRect();
  const Kind = type === "click" ? MouseEvent : PointerEvent;
  node.dispatchEvent(new Kind(type, { bubbles: true, clientX: area.left + x, clientY: area.top + y }));
}

/* The pixel of a value on the abscissa of a chart. */
function pixelOf(picture, x) {
  const { left, right, min, max } = picture.dataset;
  return +left + ((+right - +left) * Math.log(x / min)) / Math.log(max / min);
}

function choose(fieldset, value) {
  const input = one(`#${fieldset} input[value="${value}"]`);
  if (!input.checked) input.click();
}

function select(id, wanted) {
  const node = document.getElementById(id);
  node.selectedIndex = [...node.options].findIndex(wanted);
  node.dispatchEvent(new Event("change", { bubbles: true }));
}

function chooseView({ tolerance, family, measure, budget }) {
  const labels = all("#tolerance .choice");
  const digits = { 0: "All", 1e-4: "10\u207b\u2074", 1e-8: "10\u207b\u2078" };
  const label = labels.find((node) => node.textContent === digits[tolerance]);
  if (!label.querySelector("input").checked) label.querySelector("input").click();
  select("family", (option) => (family ? option.textContent === family : option.value === "-1"));
  choose("measure", measure);
  if (measure === "error-at-budget") select("budget", (option) => Number(option.value) === budget);
}

/* The height in pixels of a drawn curve of steps at the pixel x. */
function heightAt(path, x) {
  let y = NaN;
  for (const [, command, a, b] of path.getAttribute("d").matchAll(/([MHV])([-\d.]+)(?:,([-\d.]+))?/g)) {
    if (command === "H" && +a > x) break;
    if (command !== "H") y = command === "M" ? +b : +a;
  }
  return y;
}

function middleOf(path) {
  const { left, right } = chart().dataset, x = (+left + +right) / 2;
  return [x, heightAt(path, x)];
}

/* What a drawn curve says at x. */
function drawnShare(name, x) {
  const { top, bottom } = chart().dataset, { key } = legendItem(name).dataset;
  const path = one(`#profile-chart .curve[data-key="${key}"]`);
  return (bottom - heightAt(path, pixelOf(chart(), x))) / (bottom - top);
}

const campaignChecks = {
  curves() {
    const methods = all("#legend li").length - 1;
    check("there are methods", methods > 30, methods);
    check("each method and the virtual best has a curve", curves().length === methods + 1, curves().length);
    check("curves have steps", curves().every((path) => path.getAttribute("d").startsWith("M")));
    check("eight are coloured", all("#profile-chart .curve.strong").length === 8);
  },
  values() {
    let wrong = 0, told = "", compared = 0, off = 0;
    for (const row of expected) {
      chooseView(row);
      pointer("pointermove", chart(), pixelOf(chart(), row.x), 100);
      const shown = all("#legend li").length;
      if (shown !== Object.keys(row.values).length) told = `${shown} curves for ${JSON.stringify(row)}`;
      for (const [name, value] of Object.entries(row.values)) {
        compared++;
        /* Pixels are rounded to tenths: a step may stand on the other side of x. */
        off += Math.abs(drawnShare(name, row.x) - value) > 0.001;
        if (Math.abs(shareOf(name) - value) < 0.0006) continue;
        wrong++;
        told ||= `${name} ${shareOf(name)} for ${value} at ${row.x}, ${row.measure} ${row.budget} ${row.tolerance} ${row.family}`;
      }
    }
    check(`the library's ${compared} values are shown`, compared > 1000 && wrong === 0 && !told, `${wrong} are not, ${told}`);
    check("the curves are drawn at these values", off < 0.02 * compared, `${off} of ${compared} are not`);
    chooseView({ tolerance: 0, family: "", measure: "time" });
  },
  hover() {
    const path = one("#profile-chart .curve.strong"), [x, y] = middleOf(path);
    pointer("pointermove", chart(), x, y);
    const tip = one("#profile-chart .tip");
    check("hover shows a value", !tip.hidden && /%.*of 300.*\u03c4 = /.test(tip.textContent), tip.textContent);
    const lit = one("#profile-chart .curve.lit");
    check("hover lights a curve at the pointer", lit !== null && Math.abs(middleOf(lit)[1] - y) < 2);
    check("hover names that curve", tip.textContent.includes(one("#legend li.lit .name").textContent));
    pointer("pointerleave", chart(), 0, 0);
    check("leaving hides the value", tip.hidden);
  },
  hide() {
    const before = curves().length, path = all("#profile-chart .curve.strong").at(-1), key = path.dataset.key;
    pointer("click", chart(), ...middleOf(path));
    check("a click hides a curve", curves().length === before - 1, curves().length);
    const item = one("#legend li.hidden-curve");
    check("the legend tells so", item?.querySelector(".toggle").getAttribute("aria-pressed") === "false");
    item.querySelector(".toggle").click();
    check("the legend shows it again", curves().length === before && one(`.curve[data-key="${key}"]`) !== null);
    one(`#legend [data-key="${key}"] .toggle`).click();
    check("the legend hides it", one(`#profile-chart .curve[data-key="${key}"]`) === null);
    one("#hide-all").click();
    check("none", curves().length === 0 && one("#profile-chart .empty") !== null);
    one("#show-all").click();
    check("all", curves().length === before);
  },
  colour() {
    const quiet = all("#legend li").at(-1), key = quiet.dataset.key;
    quiet.querySelector(".swatch").click();
    check("a swatch colours a curve", one(`#profile-chart .curve[data-key="${key}"]`).classList.contains("strong"));
    one("#recolour").click();
    check("the best eight are coloured", all("#profile-chart .curve.strong").length === 8);
  },
  keyboard() {
    chart().focus();
    for (let k = 0; k < 3; k++) chart().dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    chart().dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    check("arrow keys read values", /: .*%.*\u03c4/.test(one("#live").textContent), one("#live").textContent);
    chart().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  },
  sorting() {
    const first = () => all("#methods-table tbody tr").map((row) => row.cells[0].textContent);
    const header = all("#methods-table th")[0];
    header.firstChild.click();
    const up = first();
    check("a click sorts", header.getAttribute("aria-sort") === "ascending" && up.every((name, k) => k === 0 || up[k - 1].localeCompare(name, "en", { numeric: true }) <= 0));
    header.firstChild.click();
    check("a second one turns it round", first().join() === up.reverse().join() && header.getAttribute("aria-sort") === "descending");
    const ratio = all("#methods-table th")[3];
    ratio.firstChild.click();
    const ratios = all("#methods-table tbody tr").map((row) => Number(row.cells[3].textContent));
    check("numbers sort by size", ratios.every((value, k) => k === 0 || !(ratios[k - 1] > value)), ratios);
  },
  problems() {
    const rows = () => all("#problems-table tr.pick");
    rows()[2].click();
    const picture = one("#problems-table .detail svg");
    check("a problem opens its plot", picture?.querySelectorAll(".curve").length > 30, picture?.querySelectorAll(".curve").length);
    check("and its runs", all("#problems-table .detail tbody tr").length > 30);
    const path = picture.querySelector(".curve.strong");
    const [, x, y] = /L([\d.]+),([\d.]+)/.exec(path.getAttribute("d").slice(40));
    pointer("pointermove", picture, +x, +y);
    check("its curves tell their error", /error .*after/.test(one(".detail .tip").textContent), one(".detail .tip").textContent);
    one('.detail input[value="iteration"]').click();
    check("against iterations", /iterations/.test(one(".detail .axis-title").textContent));
    rows()[2].click();
    check("a second click closes it", one("#problems-table .detail") === null);
    rows()[2].querySelector(".opener").click();
    check("the button opens it too", one("#problems-table .detail") !== null);
    all("#problems-table > table > thead th")[3].firstChild.click();
    one("#problem-filter").value = "Chain-5.";
    one("#problem-filter").dispatchEvent(new Event("input"));
    check("a filter finds a problem", rows().length === 2, rows().length);
    one("#problem-filter").value = "";
    one("#problem-filter").dispatchEvent(new Event("input"));
  },
  families() {
    chooseView({ tolerance: 1e-4, family: "Chain", measure: "time" });
    check("a family has fewer problems", /the 17 problems/.test(one("#profile-lead").textContent), one("#profile-lead").textContent);
    check("and its rows only", all("#problems-table tr.pick").length === 17);
    check("families have their row", all("#families-table tbody tr").length === 18);
    check("machines and versions are told", /gcc 12.2.0/.test(one("#origin-table").textContent));
    chooseView({ tolerance: 0, family: "", measure: "time" });
  },
  width() {
    const root = document.documentElement;
    check("nothing is wider than the window", root.scrollWidth <= root.clientWidth, `${root.scrollWidth} of ${root.clientWidth}`);
  },
};

/* A file with names made to break out of a page. */
const hostileChecks = {
  names() {
    const bad = `<${"/"}script><b id=broken>&"'\\`;
    check("nothing broke out", one("#broken") === null);
    check("the method's name is shown as it is", legendItem(bad) !== undefined);
    check("the problem's too", one("#problems-table .opener").textContent.endsWith(bad));
    check("there are curves", curves().length === 3, curves().length);
    one("#problems-table .opener").click();
    check("its plot opens", one(".detail svg") !== null);
  },
};

const emptyChecks = {
  notice() {
    check("the page says that there is nothing", !one("#notice").hidden && /no runs/.test(one("#notice").textContent));
    check("and shows nothing", one("main").hidden);
  },
};

/* Nothing solved, errors unknown. */
const failureChecks = {
  failures() {
    check("the virtual best stays at 0", shareOf("virtual best") === 0, shareOf("virtual best"));
    check("outcomes are counted", /1 CRASH/.test(one("#methods-table").textContent));
    one("#problems-table .opener").click();
    check("a plot without traces says so", one(".detail .empty") !== null);
    for (const measure of ["time-per-contact", "error-at-budget", "time"]) choose("measure", measure);
  },
};
