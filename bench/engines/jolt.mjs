// Jolt: sequential impulses, split position correction.
import load from 'jolt-physics/wasm-compat';
import { complete } from './scene.mjs';

let J;

/** Two layers: fixed bodies do not meet each other. */
function createWorld() {
  const [fixed, free] = [0, 1];
  const settings = new J.JoltSettings();
  const pairs = new J.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(fixed, free);
  pairs.EnableCollision(free, free);
  const broad = new J.BroadPhaseLayerInterfaceTable(2, 2);
  for (const layer of [fixed, free])
    broad.MapObjectToBroadPhaseLayer(layer, new J.BroadPhaseLayer(layer));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(
    broad,
    2,
    pairs,
    2,
  );
  return new J.JoltInterface(settings);
}

function shapeOf(body) {
  if (body.shape === 'sphere') return new J.SphereShape(body.radius);
  if (body.shape === 'box') {
    const rounding = Math.min(0.05, 0.2 * Math.min(...body.half));
    return new J.BoxShape(new J.Vec3(...body.half), rounding);
  }
  const hull = new J.ConvexHullShapeSettings();
  for (const point of body.points) hull.mPoints.push_back(new J.Vec3(...point));
  return hull.Create().Get();
}

function addBody(bodies, body, restitution) {
  const settings = new J.BodyCreationSettings(
    shapeOf(body),
    new J.RVec3(...body.position),
    new J.Quat(...body.rotation),
    body.fixed ? J.EMotionType_Static : J.EMotionType_Dynamic,
    body.fixed ? 0 : 1,
  );
  settings.mFriction = body.friction;
  settings.mRestitution = restitution;
  settings.mAllowSleeping = false;
  settings.mLinearDamping = settings.mAngularDamping = 0;
  settings.mMaxAngularVelocity = 500;
  if (!body.fixed) {
    settings.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia;
    settings.mMassPropertiesOverride.mMass = body.mass;
  }
  const made = bodies.CreateBody(settings);
  bodies.AddBody(made.GetID(), J.EActivation_Activate);
  if (!body.fixed) {
    bodies.SetLinearVelocity(made.GetID(), new J.Vec3(...body.velocity));
    bodies.SetAngularVelocity(made.GetID(), new J.Vec3(...body.spin));
  }
  return made;
}

export async function build(scene) {
  J ??= await load();
  const world = createWorld();
  const system = world.GetPhysicsSystem();
  system.SetGravity(new J.Vec3(...scene.gravity));
  const free = [];
  for (const body of scene.bodies.map(complete)) {
    const made = addBody(system.GetBodyInterface(), body, scene.restitution ?? 0);
    if (!body.fixed) free.push(made);
  }
  const xyz = (v) => [v.GetX(), v.GetY(), v.GetZ()];
  return {
    step: () => world.Step(scene.step, 1),
    // Jolt hands out the same object for every vector: each is read before the next is asked for.
    read(k) {
      const place = xyz(free[k].GetCenterOfMassPosition());
      const q = free[k].GetRotation();
      const turned = [...xyz(q), q.GetW()];
      const speed = xyz(free[k].GetLinearVelocity());
      return [...place, ...turned, ...speed, ...xyz(free[k].GetAngularVelocity())];
    },
    free: () => J.destroy(world),
  };
}
