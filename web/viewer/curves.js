/* Curves over time, with a cursor that follows what is shown; press or drag to go there. */

function niceStep(span, room) {
  const raw = span / room, power = 10 ** Math.floor(Math.log10(raw));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999);
}

function shortNumber(value, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, power] = value.toExponential(Math.max(digits - 1, 0)).split("e");
    const plain = String(Number(mantissa));
    return `${plain === "1" ? "" : plain === "-1" ? "−" : `${plain.replace("-", "−")}·`}10${superscript(Number(power))}`;
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

function superscript(number) {
  return String(number).replace("-", "⁻").replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
}

class Chart {
  /* series: [{name, values, colour (a CSS variable)}]; options: log, unit, limit (a line across). */
  constructor(figure, time, series, { log = false, unit = "", limit = null, seek }) {
    Object.assign(this, { figure, time, series, log, unit, limit });
    this.canvas = figure.querySelector("canvas");
    this.legend = figure.querySelector("ul");
    this.findRange();
    this.values = series.map((one) => {
      const item = document.createElement("li"), swatch = document.createElement("i"), value = document.createElement("b");
      swatch.style.background = `var(${one.colour})`;
      item.append(swatch, one.name, value);
      this.legend.append(item);
      return value;
    });
    const go = (event) => {
      const box = this.canvas.getBoundingClientRect();
      seek(this.timeAt(event.clientX - box.left));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture?.(event.pointerId);
      this.held = true;
      go(event);
    });
    this.canvas.addEventListener("pointermove", (event) => this.held && go(event));
    for (const type of ["pointerup", "pointercancel"]) this.canvas.addEventListener(type, () => { this.held = false; });
  }

  findRange() {
    let low = Infinity, high = -Infinity;
    for (const { values } of this.series)
      for (const value of values) {
        if (!Number.isFinite(value) || (this.log && value <= 0)) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    if (this.limit) [low, high] = [Math.min(low, this.limit), Math.max(high, this.limit)];
    if (!(low <= high)) [low, high] = this.log ? [1e-9, 1] : [0, 1];
    if (this.log) {
      this.low = Math.floor(Math.log10(low) - 0.05);
      this.high = Math.max(Math.ceil(Math.log10(high) + 0.05), this.low + 1);
    } else {
      const room = 0.06 * (high - low || Math.abs(high) || 1);
      this.low = low >= 0 && low < 0.3 * high ? 0 : low - room;
      this.high = high + room;
    }
  }

  timeAt(x) {
    const { left, right } = this.frame, first = this.time[0], last = this.time[this.time.length - 1];
    return mix(first, last, clamp((x - left) / (right - left), 0, 1));
  }

  xOf(t) {
    const { left, right } = this.frame, first = this.time[0], last = this.time[this.time.length - 1];
    return mix(left, right, last > first ? (t - first) / (last - first) : 0);
  }

  yOf(value) {
    const { top, bottom } = this.frame, at = this.log ? Math.log10(value) : value;
    return mix(bottom, top, (at - this.low) / (this.high - this.low || 1));
  }

  /* Everything but the cursor, kept as a picture. */
  paint() {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight, ratio = Math.min(devicePixelRatio || 1, 3);
    if (!width || !height) return;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.frame = { left: 46, right: width - 8, top: 8, bottom: height - 18 };
    const to = this.canvas.getContext("2d"), style = getComputedStyle(this.figure);
    to.scale(ratio, ratio);
    this.paintAxes(to, style);
    to.lineWidth = 1.5;
    to.lineJoin = "round";
    for (const one of this.series) {
      to.strokeStyle = style.getPropertyValue(one.colour);
      this.paintCurve(to, one.values);
    }
    this.still = document.createElement("canvas");
    this.still.width = this.canvas.width;
    this.still.height = this.canvas.height;
    this.still.getContext("2d").drawImage(this.canvas, 0, 0);
    this.ratio = ratio;
  }

  paintAxes(to, style) {
    const { left, right, top, bottom } = this.frame;
    to.strokeStyle = style.getPropertyValue("--rule");
    to.fillStyle = style.getPropertyValue("--ink-3");
    to.font = "11px system-ui, sans-serif";
    to.lineWidth = 1;
    to.textAlign = "right";
    to.textBaseline = "middle";
    const step = this.log ? Math.max(1, Math.ceil((this.high - this.low) / 4)) : niceStep(this.high - this.low, 4);
    for (let tick = Math.ceil(this.low / step - 1e-9) * step; tick <= this.high + 1e-9 * step; tick += step) {
      const y = mix(bottom, top, (tick - this.low) / (this.high - this.low));
      to.beginPath();
      to.moveTo(left, y);
      to.lineTo(right, y);
      to.stroke();
      to.fillText(this.log ? `10${superscript(Math.round(tick))}` : shortNumber(Math.abs(tick) < 1e-9 * step ? 0 : tick), left - 6, y);
    }
    const first = this.time[0], last = this.time[this.time.length - 1], stride = last > first ? niceStep(last - first, Math.max(2, (right - left) / 60)) : 1;
    to.textBaseline = "top";
    to.textAlign = "center";
    for (let t = Math.ceil(first / stride - 1e-9) * stride; t <= last + 1e-9 * stride; t += stride)
      to.fillText(shortNumber(Math.abs(t) < 1e-9 * stride ? 0 : t), this.xOf(t), bottom + 5);
    if (this.limit) {
      to.strokeStyle = style.getPropertyValue("--ink-3");
      to.setLineDash([3, 3]);
      to.beginPath();
      to.moveTo(left, this.yOf(this.limit));
      to.lineTo(right, this.yOf(this.limit));
      to.stroke();
      to.setLineDash([]);
    }
  }

  /* With more points than pixels: the least and the greatest of each pixel. */
  paintCurve(to, values) {
    let drawn = false, column = -1, low = 0, high = 0;
    const flush = () => {
      if (column < 0) return;
      to[drawn ? "lineTo" : "moveTo"](column, low);
      if (high !== low) to.lineTo(column, high);
      drawn = true;
    };
    to.beginPath();
    for (let k = 0; k < values.length; k++) {
      const value = values[k];
      if (!Number.isFinite(value) || (this.log && value <= 0)) continue;
      const x = values.length > 2000 ? Math.round(this.xOf(this.time[k])) : this.xOf(this.time[k]), y = this.yOf(value);
      if (x === column) {
        low = Math.min(low, y);
        high = Math.max(high, y);
        continue;
      }
      flush();
      [column, low, high] = [x, y, y];
    }
    flush();
    to.stroke();
  }

  follow(frame, t) {
    const near = clamp(Math.round(frame), 0, this.time.length - 1);
    this.series.forEach((one, k) => {
      const value = one.values[near], size = Math.abs(value);
      this.values[k].textContent = `${shortNumber(value, size >= 1e5 || size < 1e-3 ? 2 : 3)}${this.unit}`;
    });
    if (!this.still || !this.canvas.clientWidth) return;
    const to = this.canvas.getContext("2d"), style = getComputedStyle(this.figure);
    to.setTransform(1, 0, 0, 1, 0, 0);
    to.clearRect(0, 0, this.canvas.width, this.canvas.height);
    to.drawImage(this.still, 0, 0);
    to.scale(this.ratio, this.ratio);
    const x = this.xOf(t);
    to.strokeStyle = style.getPropertyValue("--ink-2");
    to.lineWidth = 1;
    to.beginPath();
    to.moveTo(x, this.frame.top);
    to.lineTo(x, this.frame.bottom);
    to.stroke();
    for (const one of this.series) {
      const value = one.values[near];
      if (!Number.isFinite(value) || (this.log && value <= 0)) continue;
      to.fillStyle = style.getPropertyValue(one.colour);
      to.beginPath();
      to.arc(x, this.yOf(value), 3.2, 0, 7);
      to.fill();
    }
  }
}

/* The curves of a trajectory: what is zero throughout is left out. */
function chartsOf(trajectory, seek) {
  const { time, curve } = trajectory, charts = [];
  const stirs = (values) => values.some((value) => value !== 0);
  const least = curve.potential.reduce((a, b) => Math.min(a, b), Infinity);
  const dissipated = ["damping", "plastic", "projection"].map((name) => curve[name]);
  const rest = Float32Array.from(time, (_, k) => dissipated.reduce((sum, values) => sum + values[k], 0));
  const energies = [
    { name: "kinetic", values: curve.kinetic, colour: "--s0" },
    { name: "potential", values: Float32Array.from(curve.potential, (value) => value - least), colour: "--s3" },
    { name: "elastic", values: curve.elastic, colour: "--s6" },
    { name: "put in", values: curve.applied, colour: "--s5" },
    { name: "friction", values: curve.friction, colour: "--s1" },
    { name: "impacts", values: curve.impact, colour: "--s4" },
    { name: "other losses", values: rest, colour: "--s2" },
    { name: "imbalance", values: curve.imbalance, colour: "--s7" }];
  const shown = energies.filter((one, k) => k < 2 || stirs(one.values));
  const add = (id, ...rest) => charts.push(new Chart(document.getElementById(id), time, ...rest));
  add("energy-chart", shown, { unit: " J", seek });
  add("error-chart", [{ name: "error", values: curve.error, colour: "--s0" }], { log: true, limit: toleranceOf(trajectory), seek });
  add("contacts-chart", [{ name: "contacts", values: curve.contacts, colour: "--s2" },
    { name: "iterations", values: curve.iterations, colour: "--s3" }], { seek });
  return charts;
}

/* The tolerance that the scene asks for. */
function toleranceOf({ scene, set }) {
  const found = /^solver\.tol=([\d.e+-]+)/im.exec(set) || /^\s*solver:[^\n]*\btol:\s*([\d.e+-]+)/im.exec(scene);
  return found ? Number(found[1]) : 1e-8;
}
