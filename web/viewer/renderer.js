/* Drawing with WebGL 2: an image with four samples a pixel, the shadow of a sun, ambient occlusion from
   depths, and numbers instead of colours to find out what is under the pointer. */

const ATTRIBUTES = ["aPosition", "aNormal", "aCap", "aCorner", "iBody", "iPosition", "iRotation", "iScale",
  "cPosition", "cImpulse", "cStatus", "aColour"];
const SHADOW_SIZE = 2048;

class Renderer {
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, powerPreference: "high-performance" });
    if (!gl) throw new Error("This page draws with WebGL 2, which this browser does not have or has switched off.");
    Object.assign(this, { canvas, gl, programs: new Map(), draws: [], planes: [], arrows: null, lines: null });
    this.quality = 2; /* 0: plain; 1: with shadows; 2: with ambient occlusion too */
    const about = gl.getExtension("WEBGL_debug_renderer_info");
    const name = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : "";
    this.taps = /swiftshader|llvmpipe|software/i.test(name) ? 5 : 12; /* places of the shadow that a pixel looks at */
    this.square = this.makeArray([["aCorner", 2, 0]], new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 8);
    this.shadow = this.makeShadow();
    this.pickTarget = this.makePickTarget();
    this.shadows = true;
    this.selected = -1;
    this.chosen = -1;
    gl.enable(gl.DEPTH_TEST);
  }

  /* ---- Programs and arrays ---- */

  program(name, ...defines) {
    const key = [name, ...defines].join(" ");
    if (!this.programs.has(key)) this.programs.set(key, this.compile(name, [...defines, `TAPS ${this.taps}`]));
    const made = this.programs.get(key);
    this.gl.useProgram(made.program);
    return made.uniform;
  }

  compile(name, defines) {
    const { gl } = this, program = gl.createProgram();
    programSource(name, defines).forEach((source, k) => {
      const shader = gl.createShader(k ? gl.FRAGMENT_SHADER : gl.VERTEX_SHADER);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    });
    ATTRIBUTES.forEach((attribute, k) => gl.bindAttribLocation(program, k, attribute));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      const logs = gl.getAttachedShaders(program).map((shader) => gl.getShaderInfoLog(shader));
      throw new Error(`${name}: ${[gl.getProgramInfoLog(program), ...logs].join(" ")}`);
    }
    const uniform = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
      const found = gl.getActiveUniform(program, k).name.replace("[0]", "");
      uniform[found] = gl.getUniformLocation(program, found);
    }
    return { program, uniform };
  }

  /* Vertex attributes [name, components, offset, divisor, integer] of a buffer with `stride` bytes. */
  attach(attributes, data, stride) {
    const { gl } = this, buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    for (const [name, count, offset, divisor = 0, integer = false] of attributes) {
      const at = ATTRIBUTES.indexOf(name);
      gl.enableVertexAttribArray(at);
      if (integer) gl.vertexAttribIPointer(at, count, gl.INT, stride, offset);
      else gl.vertexAttribPointer(at, count, gl.FLOAT, false, stride, offset);
      gl.vertexAttribDivisor(at, divisor);
    }
    return buffer;
  }

  makeArray(attributes, data, stride) {
    const { gl } = this, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const buffer = this.attach(attributes, data, stride);
    return { array, buffer };
  }

  /* ---- Images to draw into ---- */

  texture(format, width, height, type, filter = this.gl.NEAREST, data = null) {
    const { gl } = this, texture = gl.createTexture();
    const plain = { [gl.DEPTH_COMPONENT24]: gl.DEPTH_COMPONENT, [gl.DEPTH_COMPONENT32F]: gl.DEPTH_COMPONENT }[format] || gl.RGBA;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, format, width, height, 0, plain, type, data);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, filter);
    for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
    return texture;
  }

  target(colour, depth) {
    const { gl } = this, target = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    if (colour) gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, colour, 0);
    if (depth) gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, depth, 0);
    return target;
  }

  makeShadow() {
    const { gl } = this;
    const depth = this.texture(gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE, gl.UNSIGNED_INT, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    return { depth, target: this.target(null, depth), matrix: new Float64Array(16) };
  }

  makePickTarget() {
    const { gl } = this;
    return this.target(this.texture(gl.RGBA8, 9, 9, gl.UNSIGNED_BYTE),
      this.texture(gl.DEPTH_COMPONENT24, 9, 9, gl.UNSIGNED_INT));
  }

  resize(width, height) {
    const { gl } = this;
    if (this.width === width && this.height === height) return;
    for (const old of this.images || []) old.remove();
    Object.assign(this, { width, height, images: [] });
    this.canvas.width = width;
    this.canvas.height = height;
    const keep = (thing, remove) => {
      this.images.push({ remove: () => gl[remove](thing) });
      return thing;
    };
    this.image = keep(this.texture(gl.RGBA8, width, height, gl.UNSIGNED_BYTE, gl.LINEAR), "deleteTexture");
    this.depth = keep(this.texture(gl.DEPTH_COMPONENT32F, width, height, gl.FLOAT), "deleteTexture");
    this.plain = keep(this.target(this.image, this.depth), "deleteFramebuffer");
    const half = [Math.ceil(width / 2), Math.ceil(height / 2)];
    this.hidden = keep(this.texture(gl.RGBA8, ...half, gl.UNSIGNED_BYTE, gl.LINEAR), "deleteTexture");
    this.hiddenTarget = keep(this.target(this.hidden, null), "deleteFramebuffer");
    this.half = half;
    this.sampled = keep(gl.createFramebuffer(), "deleteFramebuffer");
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.sampled);
    const samples = Math.min(4, gl.getParameter(gl.MAX_SAMPLES));
    for (const [format, point] of [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT32F, gl.DEPTH_ATTACHMENT]]) {
      const store = keep(gl.createRenderbuffer(), "deleteRenderbuffer");
      gl.bindRenderbuffer(gl.RENDERBUFFER, store);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, store);
    }
  }

  /* ---- What is drawn ---- */

  /* Instances of one geometry: {body, position, rotation, scale} each. */
  addInstances(geometry, instances, glass) {
    const { gl } = this, stride = 48, bytes = new ArrayBuffer(stride * instances.length), view = new DataView(bytes);
    instances.forEach(({ body, position, rotation, scale }, k) => {
      view.setInt32(stride * k, body, true);
      [...position, ...rotation, ...scale].forEach((x, c) => view.setFloat32(stride * k + 4 + 4 * c, x, true));
    });
    const ball = geometry === null, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    if (ball) this.attach([["aCorner", 2, 0]], new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 8);
    else this.attach([["aPosition", 3, 0], ["aNormal", 3, 12], ["aCap", 2, 24]], geometry.array(), 32);
    this.attach([["iBody", 1, 0, 1, true], ["iPosition", 3, 4, 1], ["iRotation", 4, 16, 1], ["iScale", 4, 32, 1]], bytes, stride);
    this.draws.push({ array, ball, glass, corners: ball ? 4 : geometry.count, count: instances.length });
  }

  /* A surface whose corners change: the number of its draw, for setSoft. */
  addSoft(body, corners) {
    const { gl } = this, array = gl.createVertexArray(), instance = new ArrayBuffer(48), view = new DataView(instance);
    view.setInt32(0, body, true);
    [0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0].forEach((x, c) => view.setFloat32(4 + 4 * c, x, true));
    gl.bindVertexArray(array);
    const buffer = this.attach([["aPosition", 3, 0], ["aNormal", 3, 12], ["aCap", 2, 24]], new Float32Array(8 * corners), 32);
    this.attach([["iBody", 1, 0, 1, true], ["iPosition", 3, 4, 1], ["iRotation", 4, 16, 1], ["iScale", 4, 32, 1]], instance, 48);
    this.draws.push({ array, buffer, ball: false, glass: false, corners, count: 1 });
    return this.draws.length - 1;
  }

  setSoft(draw, numbers) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.draws[draw].buffer);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
  }

  setBodies(bodies) {
    const { gl } = this, rows = Math.max(1, Math.ceil(bodies / 512));
    this.rows = rows;
    this.bodies = bodies;
    this.poses = this.texture(gl.RGBA32F, 1024, rows, gl.FLOAT);
    this.colours = this.texture(gl.RGBA8, 512, rows, gl.UNSIGNED_BYTE);
    this.poseStore = new Float32Array(8 * 512 * rows);
    this.colourStore = new Uint8Array(4 * 512 * rows);
  }

  uploadPoses() {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.poses);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 1024, this.rows, gl.RGBA, gl.FLOAT, this.poseStore);
  }

  uploadColours() {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.colours);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 512, this.rows, gl.RGBA, gl.UNSIGNED_BYTE, this.colourStore);
  }

  /* Seven numbers for each contact: position, impulse, status. */
  setContacts(numbers) {
    const { gl } = this, count = numbers.length / 7;
    if (!this.arrows) {
      const geometry = arrowGeometry();
      const made = this.makeArray([["aPosition", 3, 0], ["aNormal", 3, 12], ["aCap", 2, 24]], geometry.array(), 32);
      made.contacts = this.attach([["cPosition", 3, 0, 1], ["cImpulse", 3, 12, 1], ["cStatus", 1, 24, 1]], numbers, 28);
      this.arrows = { ...made, corners: geometry.count };
    } else {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.arrows.contacts);
      gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
    }
    this.arrows.count = count;
  }

  /* Pairs of points with colours: seven numbers each. */
  setLines(numbers) {
    this.lines = { ...this.makeArray([["aPosition", 3, 0], ["aColour", 4, 12]], numbers, 28), count: numbers.length / 7 };
  }

  /* ---- Drawing ---- */

  bind(unit, texture, location) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniform1i(location, unit);
  }

  /* Uniforms that most programs share. */
  prepare(uniform, eye) {
    const { gl, look } = this;
    gl.uniformMatrix4fv(uniform.uViewProjection, false, eye.matrix);
    gl.uniform4fv(uniform.uEye, eye.eye);
    gl.uniform3fv(uniform.uUp, look.up);
    gl.uniform1i(uniform.uSelected, this.selected);
    if (uniform.uPoses) this.bind(0, this.poses, uniform.uPoses);
    if (uniform.uColours) this.bind(1, this.colours, uniform.uColours);
    if (uniform.uShadow) this.bind(2, this.shadow.depth, uniform.uShadow);
    gl.uniformMatrix4fv(uniform.uSunMatrix, false, this.shadow.matrix);
    for (const name of ["Sun", "Sky", "Ground", "SunColour", "Background", "BackgroundTop"])
      if (uniform[`u${name}`]) gl.uniform3fv(uniform[`u${name}`], look[name[0].toLowerCase() + name.slice(1)]);
    gl.uniform1f(uniform.uShadowBias, this.shadow.bias || 0);
    gl.uniform1f(uniform.uShadowTexel, 2.2 / SHADOW_SIZE);
    gl.uniform1f(uniform.uShadowOn, this.quality > 0 && this.shadows ? 1 : 0);
    if (uniform.uViewport) gl.uniform2f(uniform.uViewport, this.width, this.height);
  }

  drawBodies(eye, glass, ...defines) {
    const { gl } = this;
    for (const draw of this.draws) {
      if (glass !== undefined && draw.glass !== glass) continue;
      const uniform = this.program(draw.ball ? "sphere" : "mesh", ...defines);
      this.prepare(uniform, eye);
      gl.uniform1f(uniform.uAlpha, 0.18);
      if (uniform.uRamp) gl.uniform3fv(uniform.uRamp, RAMP_COLOURS);
      gl.uniform1i(uniform.uKind, 1);
      gl.bindVertexArray(draw.array);
      gl.drawArraysInstanced(draw.ball ? gl.TRIANGLE_STRIP : gl.TRIANGLES, 0, draw.corners, draw.count);
    }
  }

  drawPlanes(eye, walls, ...defines) {
    const { gl, look } = this;
    gl.bindVertexArray(this.square.array);
    for (const plane of this.planes) {
      if (plane.wall !== walls || !plane.seen(eye)) continue;
      const uniform = this.program("plane", ...defines);
      this.prepare(uniform, eye);
      gl.uniform3fv(uniform.uOrigin, plane.origin);
      gl.uniform3fv(uniform.uAcross, plane.across);
      gl.uniform3fv(uniform.uAlong, plane.along);
      gl.uniform3fv(uniform.uMiddle, plane.middle);
      gl.uniform3fv(uniform.uPlaneColour, look.plane);
      gl.uniform3fv(uniform.uLineColour, look.line);
      gl.uniform1f(uniform.uExtent, plane.extent);
      gl.uniform1f(uniform.uGrid, plane.grid);
      gl.uniform1f(uniform.uCoarser, plane.coarser);
      gl.uniform1f(uniform.uAlpha, 0.10);
      gl.uniform1i(uniform.uKind, 0);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
  }

  drawArrows(eye, alpha, ...defines) {
    const { gl, look } = this;
    if (!this.arrows || !this.arrows.count || !this.showContacts) return;
    const uniform = this.program("arrow", ...defines);
    this.prepare(uniform, eye);
    gl.uniform1f(uniform.uLength, this.arrowLength);
    gl.uniform1f(uniform.uThick, this.arrowThick);
    gl.uniform1f(uniform.uPoint, 0.35 * this.arrowThick);
    gl.uniform3fv(uniform.uStatusColour, look.status.flat());
    gl.uniform1f(uniform.uAlpha, alpha);
    gl.uniform1i(uniform.uChosen, this.chosen);
    gl.uniform1i(uniform.uKind, 2);
    gl.bindVertexArray(this.arrows.array);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, this.arrows.corners, this.arrows.count);
  }

  drawShadow() {
    const { gl, look, bounds } = this;
    const sun = look.sun, right = unit(cross([0.3, 0.2, 0.9], sun)), up = cross(sun, right), r = bounds.radius;
    const view = lookFrom(add(bounds.centre, sun, 3 * r), right, up, sun);
    this.shadow.matrix = multiply(parallel(r, r, r, 5 * r), view);
    this.shadow.bias = (4 * r) / SHADOW_SIZE;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow.target);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.colorMask(false, false, false, false);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1.5, 2);
    this.drawBodies({ matrix: this.shadow.matrix, eye: [...sun, 0] }, false, "SHADOW");
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.colorMask(true, true, true, true);
  }

  drawBlended(eye) {
    const { gl } = this;
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE);
    gl.depthMask(false);
    this.drawPlanes(eye, true, "GLASS");
    this.drawBodies(eye, true, "GLASS");
    gl.depthFunc(gl.GREATER);
    this.drawArrows(eye, 0.45);
    gl.depthFunc(gl.LESS);
    gl.depthMask(true);
    if (this.lines) {
      const uniform = this.program("line");
      this.prepare(uniform, eye);
      gl.bindVertexArray(this.lines.array);
      gl.drawArrays(gl.LINES, 0, this.lines.count);
    }
    gl.disable(gl.BLEND);
  }

  /* eye: {matrix (view and projection), eye, projection}. */
  draw(eye) {
    const { gl } = this;
    if (this.quality > 0 && this.shadows) this.drawShadow();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.sampled);
    gl.viewport(0, 0, this.width, this.height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.disable(gl.DEPTH_TEST);
    gl.bindVertexArray(this.square.array);
    this.prepare(this.program("background"), eye);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.enable(gl.DEPTH_TEST);
    this.drawPlanes(eye, false);
    gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    this.drawBodies(eye, false);
    gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    this.drawArrows(eye, 1);
    this.drawBlended(eye);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.sampled);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, this.plain);
    gl.blitFramebuffer(0, 0, this.width, this.height, 0, 0, this.width, this.height,
      gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT, gl.NEAREST);
    this.finish(eye);
  }

  finish(eye) {
    const { gl } = this;
    gl.disable(gl.DEPTH_TEST);
    gl.bindVertexArray(this.square.array);
    if (this.quality > 1) {
      const uniform = this.program("occlusion");
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.hiddenTarget);
      gl.viewport(0, 0, ...this.half);
      this.bind(0, this.depth, uniform.uDepth);
      gl.uniformMatrix4fv(uniform.uProjection, false, eye.projection);
      gl.uniformMatrix4fv(uniform.uInverse, false, inverseProjection(eye.projection));
      gl.uniform1f(uniform.uRadius, this.occlusionRadius);
      gl.uniform1f(uniform.uFar, eye.distance + 1.5 * this.bounds.radius);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    const uniform = this.program("finish");
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.width, this.height);
    this.bind(0, this.image, uniform.uImage);
    this.bind(1, this.depth, uniform.uDepth);
    this.bind(2, this.hidden, uniform.uOcclusion);
    gl.uniform1f(uniform.uOcclusionOn, this.quality > 1 ? 1 : 0);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.enable(gl.DEPTH_TEST);
  }

  /* What is nearest to a pixel, within four: {kind: "body" | "contact", number}, or null. */
  pick(eye, x, y) {
    const { gl } = this, sx = this.width / 9, sy = this.height / 9;
    const toCorner = new Float64Array([sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, 1, 0,
      -sx * ((2 * x) / this.width - 1), -sy * (1 - (2 * y) / this.height), 0, 1]);
    const close = { ...eye, matrix: multiply(toCorner, eye.matrix) }, bytes = new Uint8Array(4 * 81);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.pickTarget);
    gl.viewport(0, 0, 9, 9);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.drawBodies(close, false, "PICK");
    if (this.showContacts) gl.clear(gl.DEPTH_BUFFER_BIT); /* arrows are seen through bodies */
    this.drawArrows(close, 1, "PICK");
    gl.readPixels(0, 0, 9, 9, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    let best = null, least = Infinity;
    for (let k = 0; k < 81; k++) {
      const dx = (k % 9) - 4, dy = Math.floor(k / 9) - 4, kind = bytes[4 * k + 3];
      const away = dx * dx + dy * dy - (kind === 2 ? 12 : 0);
      const number = (bytes[4 * k] | (bytes[4 * k + 1] << 8) | (bytes[4 * k + 2] << 16)) - 1;
      if (number >= 0 && away < least) {
        least = away;
        best = { kind: kind === 2 ? "contact" : "body", number };
      }
    }
    return best;
  }
}
