// MuJoCo: soft contacts, a convex problem a step. It has no restitution; where a scene asks for it,
// contacts are springs with dampers that last for eight steps.
import load from '@mujoco/mujoco';
import { complete, inverse, turn } from './scene.mjs';

const text = (values) => values.map((x) => Number(x).toPrecision(17)).join(' ');

function springs({ restitution: e = 0, step }) {
  if (!(e > 0)) return '';
  const ratio = e >= 1 ? 0 : -Math.log(e) / Math.hypot(Math.PI, Math.log(e));
  const rate = Math.PI / (8 * step) / Math.sqrt(1 - ratio ** 2);
  const damping = 2 * ratio * rate + (e >= 1 ? 1e-9 : 0);
  return ` solref="${-rate * rate} ${-damping}" solimp="0.99 0.99 0.001"`;
}

function xmlOf(scene, options) {
  const meshes = new Map();
  const soft = springs(scene);
  const form = (body) => {
    if (body.shape === 'box') return `type="box" size="${text(body.half)}"`;
    if (body.shape === 'sphere') return `type="sphere" size="${body.radius}"`;
    const points = text(body.points.flat());
    if (!meshes.has(points)) meshes.set(points, `mesh${meshes.size}`);
    return `type="mesh" mesh="${meshes.get(points)}"`;
  };
  const bodies = scene.bodies.map(complete).map((body) => {
    const [x, y, z, w] = body.rotation;
    const place = `pos="${text(body.position)}" quat="${text([w, x, y, z])}"`;
    const law = `friction="${body.friction} 0.005 0.0001" priority="${body.friction === 0 ? 1 : 0}"`;
    if (body.fixed) return `<geom ${form(body)} ${place} ${law}${soft}/>`;
    const mass = `<inertial pos="0 0 0" mass="${body.mass}" diaginertia="${text(body.inertia)}"/>`;
    return `<body ${place}><freejoint/>${mass}<geom ${form(body)} ${law}${soft}/></body>`;
  });
  const assets = [...meshes].map(([points, name]) => `<mesh name="${name}" vertex="${points}"/>`);
  const memory = bodies.length > 300 ? '400M' : bodies.length > 100 ? '100M' : '20M';
  return `<mujoco><size memory="${memory}"/>
    <option timestep="${scene.step}" gravity="${text(scene.gravity)}" ${options.option ?? ''}>
      <flag multiccd="enable"/></option>
    <asset>${assets.join('')}</asset><worldbody>${bodies.join('')}</worldbody></mujoco>`;
}

let library;

export async function build(scene, options) {
  library ??= await load();
  const model = library.MjModel.from_xml_string(xmlOf(scene, options));
  const data = new library.MjData(model);
  const free = scene.bodies.map(complete).filter((body) => !body.fixed);
  free.forEach((body, k) => {
    data.qvel.set(body.velocity, 6 * k);
    data.qvel.set(turn(inverse(body.rotation), body.spin), 6 * k + 3); // spins in the body's axes
  });
  return {
    step: () => library.mj_step(model, data),
    read(k) {
      const [px, py, pz, w, x, y, z] = data.qpos.slice(7 * k, 7 * k + 7);
      const speed = data.qvel.slice(6 * k, 6 * k + 6);
      const q = [x, y, z, w];
      return [px, py, pz, ...q, ...speed.slice(0, 3), ...turn(q, speed.slice(3))];
    },
    free() {
      data.delete();
      model.delete();
    },
  };
}
