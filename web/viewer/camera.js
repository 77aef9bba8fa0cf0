/* An eye that looks at a point from a distance. Angles in degrees: azimuth from x towards y, elevation
   above the plane of both. Flat scenes are seen from the front in parallel projection. */

const DEGREE = Math.PI / 180;
const TANGENT = Math.tan(15 * DEGREE); /* half of the picture's height, a unit away */

class Camera {
  constructor(flat) {
    Object.assign(this, { flat, target: [0, 0, 0], distance: 10, azimuth: flat ? 0 : -60, elevation: flat ? 0 : 20, reach: 10 });
  }

  axes() {
    const a = this.azimuth * DEGREE, e = this.elevation * DEGREE;
    if (this.flat) {
      const back = [Math.sin(a) * Math.cos(e), Math.sin(e), Math.cos(a) * Math.cos(e)], right = [Math.cos(a), 0, -Math.sin(a)];
      return { back, right, up: cross(back, right) };
    }
    const back = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)], right = [-Math.sin(a), Math.cos(a), 0];
    return { back, right, up: cross(back, right) };
  }

  /* The matrices for a picture of that shape, and where the eye is. */
  eye(aspect) {
    const { right, up, back } = this.axes(), place = add(this.target, back, this.distance);
    const wide = aspect < 1 ? TANGENT / aspect : TANGENT, reach = this.reach;
    const near = Math.max(this.distance - reach, 0.03 * this.distance), far = this.distance + reach;
    const half = this.distance * wide;
    const projection = this.flat ? parallel(half * aspect, half, -reach, far + reach) : perspective(wide, aspect, near, far);
    return { matrix: multiply(projection, lookFrom(place, right, up, back)), projection, distance: this.distance,
      eye: this.flat ? [...back, 0] : [...place, 1] };
  }

  /* See the whole of a box from where the eye is turned to. */
  fitBox(low, high, aspect) {
    const { right, up, back } = this.axes(), centre = scaled(add(low, high), 0.5), wide = aspect < 1 ? TANGENT / aspect : TANGENT;
    let most = 0;
    for (let corner = 0; corner < 8; corner++) {
      const p = sub([0, 1, 2].map((axis) => (corner >> axis & 1 ? high : low)[axis]), centre);
      const near = this.flat ? 0 : dot(p, back);
      most = Math.max(most, Math.abs(dot(p, right)) / (wide * aspect) + near, Math.abs(dot(p, up)) / wide + near);
    }
    this.target = centre;
    this.distance = 1.12 * most || 1;
  }

  orbit(dx, dy) {
    this.azimuth = (((this.azimuth - dx + 180) % 360) + 360) % 360 - 180;
    this.elevation = clamp(this.elevation + dy, -89, 89);
  }

  /* By parts of the picture's height. */
  pan(dx, dy) {
    const { right, up } = this.axes(), size = 2 * this.distance * TANGENT;
    this.target = add(add(this.target, right, -dx * size), up, dy * size);
  }

  /* Towards a point of the picture: x and y by parts of its height from the middle. */
  zoom(factor, x = 0, y = 0) {
    const wanted = clamp(this.distance * factor, 1e-6 * this.reach, 20 * this.reach), real = wanted / this.distance;
    this.pan(-x * (1 - real), -y * (1 - real));
    this.distance = wanted;
  }
}

/* Mouse, pen and fingers: drag to turn, with the other button, shift or two fingers to move; wheel or
   two fingers to zoom. `changed` is called after each; `picked` with a place that was pressed. */
function handlePointers(canvas, camera, { changed, picked, focused }) {
  const fingers = new Map();
  let travelled = 0;
  const height = () => canvas.clientHeight || 1;
  const middle = () => {
    const all = [...fingers.values()];
    return { x: all.reduce((s, f) => s + f.x, 0) / all.length, y: all.reduce((s, f) => s + f.y, 0) / all.length,
      spread: all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0 };
  };
  const place = (x, y) => {
    const box = canvas.getBoundingClientRect();
    return [(x - box.left - box.width / 2) / height(), (box.top + box.height / 2 - y) / height()];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture?.(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    travelled = fingers.size > 1 ? 100 : 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = middle();
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = middle(), dx = after.x - before.x, dy = after.y - before.y;
    travelled += Math.abs(dx) + Math.abs(dy);
    if (travelled < 4) return;
    if (fingers.size > 1 || event.shiftKey || event.buttons & 6 || (camera.flat && !event.altKey)) camera.pan(dx / height(), dy / height());
    else camera.orbit((250 * dx) / height(), (250 * dy) / height());
    if (fingers.size > 1 && after.spread > 0) camera.zoom(before.spread / after.spread, ...place(after.x, after.y));
    changed();
  });
  for (const type of ["pointerup", "pointercancel"])
    canvas.addEventListener(type, (event) => {
      if (!fingers.delete(event.pointerId)) return;
      if (type === "pointerup" && travelled < 4 && event.button === 0) picked(event.clientX, event.clientY);
    });
  canvas.addEventListener("dblclick", (event) => focused(event.clientX, event.clientY));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 20 : 1;
    camera.zoom(Math.exp(0.0015 * lines * clamp(event.deltaY, -300, 300)), ...place(event.clientX, event.clientY));
    changed();
  }, { passive: false });
}
