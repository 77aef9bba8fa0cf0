/* The results inside the page, and what is computed from them. The places of (134) and the costs
   come from the library; here they are only selected and counted (135). */

const VIRTUAL_BEST = -1;

function readResults() {
  const data = JSON.parse(document.getElementById("data").textContent);
  data.runAt = new Map();
  data.runs.pair.forEach((pair, run) => {
    data.runAt.set(pair * data.methods.length + data.runs.method[run], run);
  });
  return data;
}

/* Index of the run of a method on a pair (a problem at a tolerance), or undefined. */
function runOf(data, pair, method) {
  return data.runAt.get(pair * data.methods.length + method);
}

/* The pairs of a tolerance and a family; -1 stands for all. */
function selectPairs(data, tolerance, family) {
  const chosen = [];
  data.pairs.problem.forEach((problem, pair) => {
    if ((tolerance < 0 || data.pairs.tolerance[pair] === tolerance) &&
        (family < 0 || data.problems.family[problem] === family))
      chosen.push(pair);
  });
  return chosen;
}

/* A profile per method that was run on any of the pairs: its places in ascending order. A place
   of -1 in the data is one that is never reached. */
function profilesOf(data, measure, pairs) {
  const count = data.methods.length;
  const profiles = [];
  for (let method = 0; method < count; method++) {
    if (!pairs.some((pair) => runOf(data, pair, method) !== undefined)) continue;
    const places = pairs.map((pair) => measure.place[pair * count + method]);
    profiles.push({ method, places: reached(places) });
  }
  const best = pairs.map((pair) => measure.best[pair]);
  profiles.push({ method: VIRTUAL_BEST, places: reached(best) });
  return profiles;
}

function reached(places) {
  return Float64Array.from(places.filter((place) => place >= 0)).sort();
}

/* How many of the ascending values are at most x. */
function countUpTo(values, x) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The area under a profile on a logarithmic axis: what methods are ranked by. */
function areaOf(places, min, max) {
  let sum = 0;
  for (const place of places)
    if (place <= max) sum += Math.log(max / Math.max(place, min));
  return sum;
}

/* Per method: what the table of methods shows. Ratios are to the virtual best. */
function summariesOf(data, pairs) {
  const count = data.methods.length;
  const ratios = data.measures[0].place;
  return data.methods.map((name, method) => {
    const row = { method, name, runs: 0, solved: 0, wins: 0, ratio: NaN, seconds: 0, peak: -1, others: new Map() };
    let logs = 0;
    for (const pair of pairs) {
      const run = runOf(data, pair, method);
      if (run === undefined) continue;
      row.runs++;
      row.seconds += data.runs.seconds[run] ?? 0;
      row.peak = Math.max(row.peak, data.runs.peak[run]);
      const place = ratios[pair * count + method];
      if (place >= 0) {
        row.solved++;
        logs += Math.log(place);
        if (place === 1) row.wins++;
      } else {
        const outcome = data.outcomes[data.runs.outcome[run]];
        row.others.set(outcome, (row.others.get(outcome) ?? 0) + 1);
      }
    }
    if (row.solved > 0) row.ratio = Math.exp(logs / row.solved);
    return row;
  }).filter((row) => row.runs > 0);
}

/* Per pair: what the table of problems shows. */
function problemRowsOf(data, pairs) {
  const count = data.methods.length;
  return pairs.map((pair) => {
    const problem = data.pairs.problem[pair];
    const row = {
      pair, name: data.problems.name[problem], family: data.families[data.problems.family[problem]],
      contacts: data.problems.contacts[problem], dof: data.problems.dof[problem],
      tolerance: data.tolerances[data.pairs.tolerance[pair]], runs: 0, solved: 0, best: -1, seconds: NaN,
    };
    for (let method = 0; method < count; method++) {
      const run = runOf(data, pair, method);
      if (run === undefined) continue;
      row.runs++;
      if (data.measures[0].place[pair * count + method] < 0) continue;
      row.solved++;
      if (!(data.runs.seconds[run] >= row.seconds)) {
        row.seconds = data.runs.seconds[run];
        row.best = method;
      }
    }
    return row;
  });
}

/* A trace: six characters per point, two digits of base 64 each for the error (hundredths of a
   decade above 1e-20), the time (256ths of a decade above 1e-9 s) and the iteration (256ths of a
   decade of 1 + iteration). src/bench/report_json.c writes it. */
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGIT_VALUE = new Map([...DIGITS].map((digit, value) => [digit, value]));

function traceOf(data, run) {
  const text = data.runs.trace[run];
  const number = (at) => DIGIT_VALUE.get(text[at]) * 64 + DIGIT_VALUE.get(text[at + 1]);
  const trace = { error: [], seconds: [], iteration: [] };
  for (let at = 0; at + 6 <= text.length; at += 6) {
    trace.error.push(10 ** (number(at) / 100 - 20));
    trace.seconds.push(10 ** (number(at + 2) / 256 - 9));
    trace.iteration.push(Math.round(10 ** (number(at + 4) / 256) - 1));
  }
  return trace;
}

/* ---- Numbers as people read them ---- */

function formatSeconds(seconds) {
  if (!Number.isFinite(seconds)) return "\u2013";
  if (seconds === 0) return "0 s";
  const [scale, unit] = seconds < 1e-3 ? [1e6, "\u00b5s"] : seconds < 1 ? [1e3, "ms"] : [1, "s"];
  const value = seconds * scale;
  return `${value >= 1000 ? Math.round(value) : Number(value.toPrecision(3))} ${unit}`;
}

function formatPower(value) {
  if (!(value > 0)) return String(value);
  const exponent = Math.floor(Math.log10(value) + 1e-9);
  const lead = value / 10 ** exponent;
  const digits = [...String(exponent)].map((c) => (c === "-" ? "\u207b" : "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[c])).join("");
  if (Math.abs(lead - 1) < 1e-6) return `10${digits}`;
  return `${Number(lead.toPrecision(2))}\u00b710${digits}`;
}

function formatError(error) {
  if (error === null || !Number.isFinite(error)) return "\u2013";
  return error === 0 ? "0" : error >= 0.01 && error < 100 ? String(Number(error.toPrecision(2))) : error.toExponential(1);
}

function formatFactor(value) {
  if (!Number.isFinite(value)) return "\u2013";
  return value >= 1e5 ? formatPower(value) : value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

function formatCount(value) {
  return value < 0 || value === null ? "\u2013" : value.toLocaleString("en");
}

function formatMemory(kib) {
  return kib < 0 ? "\u2013" : `${formatFactor(kib / 1024)} MiB`;
}

function formatPercent(fraction) {
  return `${(100 * fraction).toFixed(1)}\u2009%`;
}

/* A range of counts or figures: "3 \u2013 12", or one number where both ends agree. */
function formatRange(low, high, format = formatCount) {
  if (low > high) return "\u2013";
  return low === high ? format(low) : `${format(low)} \u2013 ${format(high)}`;
}
