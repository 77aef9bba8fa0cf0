// Rapier: sequential impulses with soft constraints.
import R from '@dimforge/rapier3d-compat';
import { complete } from './scene.mjs';

const vector = ([x, y, z]) => ({ x, y, z });
const quaternion = ([x, y, z, w]) => ({ x, y, z, w });

function collider(body, restitution) {
  const forms = {
    box: () => R.ColliderDesc.cuboid(...body.half),
    sphere: () => R.ColliderDesc.ball(body.radius),
    hull: () => R.ColliderDesc.convexHull(new Float32Array(body.points.flat())),
  };
  return forms[body.shape]()
    .setFriction(body.friction)
    .setFrictionCombineRule(R.CoefficientCombineRule.Min)
    .setRestitution(restitution);
}

function addFree(world, body, form) {
  const rigid = world.createRigidBody(
    R.RigidBodyDesc.dynamic()
      .setTranslation(...body.position)
      .setRotation(quaternion(body.rotation))
      .setLinvel(...body.velocity)
      .setAngvel(vector(body.spin))
      .setCanSleep(false),
  );
  const centre = vector([0, 0, 0]);
  form.setMassProperties(body.mass, centre, vector(body.inertia), quaternion([0, 0, 0, 1]));
  world.createCollider(form, rigid);
  return rigid;
}

let started;

export async function build(scene) {
  started ??= R.init();
  await started;
  const world = new R.World(vector(scene.gravity));
  const rigid = [];
  world.timestep = scene.step;
  for (const body of scene.bodies.map(complete)) {
    const form = collider(body, scene.restitution ?? 0);
    if (body.fixed) {
      form.setTranslation(...body.position).setRotation(quaternion(body.rotation));
      world.createCollider(form);
    } else rigid.push(addFree(world, body, form));
  }
  return {
    step: () => world.step(),
    read(k) {
      const [p, q] = [rigid[k].translation(), rigid[k].rotation()];
      const [v, w] = [rigid[k].linvel(), rigid[k].angvel()];
      return [p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z];
    },
    free: () => world.free(),
  };
}
