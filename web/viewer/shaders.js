/* Shaders. Bodies' poses and colours are in textures: an instance names its body and where the shape
   is in the body's frame. With PICK a program writes numbers instead of colours, with SHADOW only
   depths, with GLASS it blends. */

const COMMON = `
uniform mat4 uViewProjection;
uniform vec4 uEye; /* w = 1: where the eye is; w = 0: the direction towards it */
uniform vec3 uUp;
vec3 turn(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }
vec3 unturn(vec4 q, vec3 v) { return turn(vec4(q.x, -q.yzw), v); }
vec3 towardsEye(vec3 p) { return normalize(uEye.xyz - uEye.w * p); }
`;

const INSTANCE = `
in int iBody;
in vec3 iPosition;
in vec4 iRotation;
in vec4 iScale;
uniform highp sampler2D uPoses;
uniform sampler2D uColours;
uniform int uSelected;
vec4 poseTexel(int body, int part) { return texelFetch(uPoses, ivec2(2 * (body % 512) + part, body / 512), 0); }
vec3 toWorld(vec3 p) { return poseTexel(iBody, 0).xyz + turn(poseTexel(iBody, 1), p); }
vec4 bodyColour() {
  vec4 c = texelFetch(uColours, ivec2(iBody % 512, iBody / 512), 0);
  return vec4(pow(c.rgb, vec3(2.2)), iBody == uSelected ? 1.0 : 0.0);
}
`;

/* Sun with a soft-edged shadow, sky and ground light, a little gloss; colours are linear. */
const LIGHT = `
uniform highp sampler2DShadow uShadow;
uniform mat4 uSunMatrix;
uniform vec3 uSun, uSky, uGround, uSunColour;
uniform float uShadowBias, uShadowTexel, uShadowOn;
float sunlight(vec3 p, vec3 n) {
  float facing = dot(n, uSun);
  if (facing <= 0.0 || uShadowOn < 0.5) return max(facing, 0.0);
  vec4 s = uSunMatrix * vec4(p + n * uShadowBias, 1.0);
  vec3 c = s.xyz * 0.5 + 0.5;
  if (any(lessThan(c, vec3(0.0))) || any(greaterThan(c, vec3(1.0)))) return facing;
  float turnBy = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) * 6.2831853;
  vec2 a = vec2(cos(turnBy), sin(turnBy)), b = vec2(-a.y, a.x);
  float lit = 0.0;
  for (int k = 0; k < TAPS; k++) {
    float r = sqrt((float(k) + 0.5) / float(TAPS)), w = float(k) * 2.39996323;
    lit += texture(uShadow, vec3(c.xy + uShadowTexel * r * (cos(w) * a + sin(w) * b), c.z));
  }
  return facing * lit / float(TAPS);
}
vec3 lightUp(vec3 albedo, vec3 p, vec3 n, float gloss) {
  vec3 v = towardsEye(p), h = normalize(v + uSun);
  float sun = sunlight(p, n), up = dot(n, uUp) * 0.5 + 0.5;
  vec3 ambient = mix(uGround, uSky, up);
  float rim = pow(1.0 - max(dot(n, v), 0.0), 4.0);
  vec3 lit = albedo * (ambient + uSunColour * sun) + gloss * uSunColour * sun * pow(max(dot(n, h), 0.0), 60.0);
  return lit + 0.10 * rim * ambient;
}
vec3 encode(vec3 c) { return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)); }
/* How it turns: sectors of round bodies are a shade darker. */
float sectors(vec3 local) { return local.x * local.y * (abs(local.z) < 0.999 ? local.z : 1.0); }
vec3 patterned(vec3 albedo, float side) { return albedo * mix(0.72, 1.0, smoothstep(-0.5, 0.5, side)); }
vec3 emphasised(vec3 c, float selected, vec3 n, vec3 p) {
  float rim = 1.0 - max(dot(n, towardsEye(p)), 0.0);
  return mix(c, vec3(1.0, 0.80, 0.25), selected * (0.30 + 0.5 * rim * rim));
}
`;

const NUMBER = `
uniform int uKind;
vec4 numberColour(int number) {
  return vec4(float(number & 255), float(number >> 8 & 255), float(number >> 16 & 255), float(uKind)) / 255.0;
}
`;

const SHADERS = {
  mesh: [`
in vec3 aPosition;
in vec3 aNormal;
in vec2 aCap;
out vec3 vWorld, vNormal, vLocal;
out float vField;
flat out vec4 vColour;
flat out int vBody;
flat out float vRound;
void main() {
  vec3 p = aPosition * iScale.xyz + vec3(0.0, 0.0, aCap.x * iScale.w);
  vec3 inBody = iPosition + turn(iRotation, p);
  vWorld = toWorld(inBody);
  vNormal = turn(poseTexel(iBody, 1), turn(iRotation, normalize(aNormal / iScale.xyz)));
  vLocal = aPosition;
  vColour = bodyColour();
  vBody = iBody;
  vRound = aCap.y;
  vField = aCap.x;
  gl_Position = uViewProjection * vec4(vWorld, 1.0);
}`, `
in vec3 vWorld, vNormal, vLocal;
in float vField;
flat in vec4 vColour;
flat in int vBody;
flat in float vRound;
uniform float uAlpha;
uniform vec3 uRamp[6];
vec3 rampColour(float share) {
  float at = clamp(share, 0.0, 1.0) * 5.0;
  int k = min(int(at), 4);
  return pow(mix(uRamp[k], uRamp[k + 1], at - float(k)), vec3(2.2));
}
out vec4 colour;
void main() {
#if defined(PICK)
  colour = numberColour(vBody + 1);
#elif !defined(SHADOW)
  vec3 n = normalize(vNormal);
  if (!gl_FrontFacing) n = -n;
  vec3 albedo = vColour.rgb;
  float side = vLocal.x * vLocal.y;
  if (vRound < -0.5) albedo = rampColour(vField);
  if (vRound > 0.5) albedo = patterned(albedo, side / max(fwidth(side), 1e-6));
  vec3 lit = emphasised(lightUp(albedo, vWorld, n, 0.10), vColour.a, n, vWorld);
#if defined(GLASS)
  float rim = 1.0 - abs(dot(n, towardsEye(vWorld)));
  colour = vec4(encode(lit), uAlpha * (0.45 + 0.9 * rim * rim));
#else
  colour = vec4(encode(lit), 1.0);
#endif
#endif
}`],

  /* A square that faces the eye and covers the ball; the fragment finds where its ray meets it. */
  sphere: [`
in vec2 aCorner;
out vec3 vPoint;
flat out vec3 vCentre;
flat out float vRadius;
flat out vec4 vColour, vTurn;
flat out int vBody;
void main() {
  vec3 centre = toWorld(iPosition), back = uEye.xyz - uEye.w * centre;
  float d = length(back), r = iScale.x;
  back /= d;
  float cover = uEye.w > 0.5 && d > 1.01 * r ? r * d / sqrt(d * d - r * r) : r;
  vec3 side = normalize(cross(abs(back.z) < 0.9 ? vec3(0, 0, 1) : vec3(0, 1, 0), back));
  vPoint = centre + 1.04 * cover * (aCorner.x * side + aCorner.y * cross(back, side));
  vCentre = centre;
  vRadius = r;
  vTurn = poseTexel(iBody, 1);
  vColour = bodyColour();
  vBody = iBody;
  gl_Position = uViewProjection * vec4(vPoint, 1.0);
}`, `
in vec3 vPoint;
flat in vec3 vCentre;
flat in float vRadius;
flat in vec4 vColour, vTurn;
flat in int vBody;
uniform float uAlpha;
out vec4 colour;
void main() {
  vec3 towards = uEye.w > 0.5 ? vPoint - uEye.xyz : -normalize(uEye.xyz);
  vec3 ray = normalize(towards), from = vPoint - vCentre;
  float along = dot(from, ray);
  vec3 nearest = from - along * ray;
  float miss = length(nearest) / vRadius;
  float edge = max(fwidth(miss), 1e-5);
#if defined(SHADOW) || defined(PICK)
  if (miss > 1.0) discard;
  float cover = 1.0;
#else
  float cover = clamp((1.0 - miss) / edge + 0.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
#endif
  vec3 hit = vCentre + nearest - ray * vRadius * sqrt(max(1.0 - miss * miss, 0.0));
  vec4 clip = uViewProjection * vec4(hit, 1.0);
  gl_FragDepth = clamp(clip.z / clip.w * 0.5 + 0.5, 0.0, 1.0);
#if defined(PICK)
  colour = numberColour(vBody + 1);
#elif !defined(SHADOW)
  vec3 n = normalize(hit - vCentre), local = unturn(vTurn, n);
  float side = local.x * local.y * local.z;
  vec3 albedo = patterned(vColour.rgb, side / max(1.5 * edge, 0.02));
  vec3 lit = emphasised(lightUp(albedo, hit, n, 0.25), vColour.a, n, hit);
#if defined(GLASS)
  cover *= uAlpha;
#endif
  colour = vec4(encode(lit), cover);
#endif
}`],

  /* Half-spaces: a square in the plane, with a grid that fades into the background. */
  plane: [`
in vec2 aCorner;
uniform vec3 uOrigin, uAcross, uAlong;
uniform float uExtent;
out vec3 vWorld;
out vec2 vPlane;
void main() {
  vPlane = aCorner * uExtent;
  vWorld = uOrigin + vPlane.x * uAcross + vPlane.y * uAlong;
  gl_Position = uViewProjection * vec4(vWorld, 1.0);
}`, `
in vec3 vWorld;
in vec2 vPlane;
uniform vec3 uOrigin, uAcross, uAlong, uPlaneColour, uLineColour, uBackground, uMiddle;
uniform float uExtent, uGrid, uCoarser, uAlpha;
uniform vec2 uViewport;
uniform vec3 uBackgroundTop;
out vec4 colour;
float lines(vec2 p, float width) {
  vec2 w = fwidth(p), d = abs(fract(p - 0.5) - 0.5) / max(w, 1e-6);
  vec2 faint = clamp(0.35 / max(w, 1e-6), 0.0, 1.0);
  return max((1.0 - smoothstep(width - 0.5, width + 0.5, d.x)) * faint.x, (1.0 - smoothstep(width - 0.5, width + 0.5, d.y)) * faint.y);
}
void main() {
#if defined(PICK)
  colour = numberColour(0);
#else
  vec3 n = normalize(cross(uAcross, uAlong));
  vec2 p = vPlane + vec2(dot(uOrigin, uAcross), dot(uOrigin, uAlong));
  float line = max(0.45 * lines(p / uGrid, 0.7), 0.9 * lines(p / (uCoarser * uGrid), 0.9));
  vec3 albedo = mix(uPlaneColour, uLineColour, line * 0.55);
  float away = length(vWorld - uMiddle) / uExtent;
  float fade = 1.0 - smoothstep(0.25, 0.85, away);
  vec3 c = encode(lightUp(albedo, vWorld, n, 0.0));
#if defined(GLASS)
  colour = vec4(c, fade * fade * (uAlpha + 0.35 * line));
#else
  vec3 behind = mix(uBackground, uBackgroundTop, gl_FragCoord.y / uViewport.y);
  colour = vec4(mix(behind, c, fade), 1.0);
#endif
#endif
}`],

  /* Impulses: an arrow, or a ball where there is none. */
  arrow: [`
in vec3 aPosition;
in vec3 aNormal;
in vec2 aCap;
in vec3 cPosition;
in vec3 cImpulse;
in float cStatus;
uniform float uLength, uThick, uPoint;
uniform int uChosen;
out vec3 vWorld, vNormal;
flat out float vStatus;
flat out int vNumber;
void main() {
  float size = length(cImpulse) * uLength;
  vec3 axis = size > 0.0 ? normalize(cImpulse) : vec3(0, 0, 1);
  vec3 side = normalize(cross(abs(axis.z) < 0.9 ? vec3(0, 0, 1) : vec3(0, 1, 0), axis)), other = cross(axis, side);
  float thick = min(uThick, 0.34 * size);
  if (gl_InstanceID == uChosen) thick = max(1.6 * thick, 0.5 * uThick);
  float shaft = max(size - 2.6 * thick, 0.0);
  vec3 p = aPosition * thick + vec3(0, 0, aCap.x * shaft);
  if (size <= 1e-3 * uThick) p = aPosition * uPoint;
  vWorld = cPosition + p.x * side + p.y * other + p.z * axis;
  vNormal = aNormal.x * side + aNormal.y * other + aNormal.z * axis;
  vStatus = gl_InstanceID == uChosen ? 3.0 : cStatus;
  vNumber = gl_InstanceID;
  gl_Position = uViewProjection * vec4(vWorld, 1.0);
}`, `
in vec3 vWorld, vNormal;
flat in float vStatus;
flat in int vNumber;
uniform vec3 uStatusColour[4];
uniform float uAlpha;
out vec4 colour;
void main() {
#if defined(PICK)
  colour = numberColour(vNumber + 1);
#else
  vec3 n = normalize(vNormal), c = uStatusColour[int(vStatus + 0.5)];
  float lit = 0.72 + 0.28 * dot(n, uSun);
  colour = vec4(encode(c * lit), uAlpha);
#endif
}`],

  /* Lines of a graph. */
  line: [`
in vec3 aPosition;
in vec4 aColour;
out vec4 vColour;
void main() {
  vColour = aColour;
  gl_Position = uViewProjection * vec4(aPosition, 1.0);
}`, `
in vec4 vColour;
out vec4 colour;
void main() { colour = vColour; }`],

  background: [`
in vec2 aCorner;
out float vHeight;
void main() {
  vHeight = aCorner.y * 0.5 + 0.5;
  gl_Position = vec4(aCorner, 1.0, 1.0);
}`, `
in float vHeight;
uniform vec3 uBackground, uBackgroundTop;
out vec4 colour;
void main() { colour = vec4(mix(uBackground, uBackgroundTop, vHeight), 1.0); }`],

  /* How much of the sky the points near a pixel hide, from depths alone. */
  occlusion: [`
in vec2 aCorner;
void main() { gl_Position = vec4(aCorner, 0.0, 1.0); }`, `
uniform highp sampler2D uDepth;
uniform mat4 uInverse;
uniform mat4 uProjection;
uniform float uRadius, uFar;
out vec4 colour;
vec3 eyePoint(ivec2 texel) {
  ivec2 size = textureSize(uDepth, 0);
  texel = clamp(texel, ivec2(0), size - 1);
  float z = texelFetch(uDepth, texel, 0).r;
  vec4 p = uInverse * vec4(vec3((vec2(texel) + 0.5) / vec2(size), z) * 2.0 - 1.0, 1.0);
  return p.xyz / p.w;
}
void main() {
  ivec2 at = clamp(2 * ivec2(gl_FragCoord.xy), ivec2(1), textureSize(uDepth, 0) - 2);
  if (texelFetch(uDepth, at, 0).r >= 1.0) { colour = vec4(1.0); return; }
  vec3 p = eyePoint(at);
  vec3 right = eyePoint(at + ivec2(1, 0)) - p, left = p - eyePoint(at - ivec2(1, 0));
  vec3 above = eyePoint(at + ivec2(0, 1)) - p, below = p - eyePoint(at - ivec2(0, 1));
  vec3 n = normalize(cross(abs(right.z) < abs(left.z) ? right : left, abs(above.z) < abs(below.z) ? above : below));
  vec4 reach = uProjection * vec4(uRadius, uRadius, p.z, 1.0);
  vec2 wide = vec2(textureSize(uDepth, 0)) * min(vec2(0.12), 0.5 * abs(reach.xy / reach.w - (uProjection * vec4(0, 0, p.z, 1)).xy / reach.w));
  ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
  float start = float((cell.x * 4 + cell.y) * 7 % 16) / 16.0, hidden = 0.0;
  for (int k = 0; k < 12; k++) {
    float r = (float(k) + 0.25 + 0.5 * start) / 12.0, w = 6.2831853 * (start + float(k) * 0.381966);
    vec3 d = eyePoint(at + ivec2(r * wide * vec2(cos(w), sin(w)))) - p;
    float squared = dot(d, d), up = dot(d, n);
    hidden += max(0.0, up / sqrt(squared + 1e-12) - 0.12) * max(0.0, 1.0 - squared / (uRadius * uRadius));
  }
  float open = clamp(1.0 - 1.9 * hidden / 12.0 * (1.0 - smoothstep(0.8, 1.2, -p.z / uFar)), 0.0, 1.0);
  colour = vec4(open, open, open, 1.0);
}`],

  finish: [`
in vec2 aCorner;
out vec2 vAt;
void main() {
  vAt = aCorner * 0.5 + 0.5;
  gl_Position = vec4(aCorner, 0.0, 1.0);
}`, `
in vec2 vAt;
uniform sampler2D uImage;
uniform highp sampler2D uDepth;
uniform sampler2D uOcclusion;
uniform float uOcclusionOn;
out vec4 colour;
void main() {
  vec4 c = textureLod(uImage, vAt, 0.0);
  if (uOcclusionOn > 0.5) {
    vec2 texel = 1.0 / vec2(textureSize(uOcclusion, 0));
    float here = textureLod(uDepth, vAt, 0.0).r, sum = 0.0, weight = 1e-4;
    for (int y = -2; y < 2; y++)
      for (int x = -2; x < 2; x++) {
        vec2 at = vAt + (vec2(x, y) + 0.5) * texel;
        float w = 1.0 / (1.0 + 4e4 * abs(textureLod(uDepth, at, 0.0).r - here));
        sum += w * textureLod(uOcclusion, at, 0.0).r;
        weight += w;
      }
    c.rgb *= mix(0.30, 1.0, sum / weight);
  }
  colour = vec4(c.rgb, 1.0);
}`],
};

function programSource(name, defines) {
  const head = `#version 300 es\nprecision highp float;\nprecision highp int;\n${defines.map((word) => `#define ${word}\n`).join("")}`;
  const [vertex, fragment] = SHADERS[name], instanced = name === "mesh" || name === "sphere";
  const screen = ["background", "occlusion", "finish"].includes(name);
  const common = screen ? "" : COMMON;
  const lit = !screen && name !== "line" ? LIGHT : "";
  return [`${head}${common}${instanced ? INSTANCE : ""}${vertex}`, `${head}${common}${lit}${NUMBER}${fragment}`];
}
