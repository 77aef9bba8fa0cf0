"""Scenes: simulations described in YAML. docs/scene.md says what may stand in one."""

from ._arrays import shown
from ._library import ArgumentError, create, ffi, lib, path_bytes, string, struct
from ._library import text as text_of


def _set_values(values, keep):
    """{"let.mu": 0.3} as SlipOptionValue rows."""
    rows = ffi.new("SlipOptionValue[]", max(len(values), 1))
    for k, (name, value) in enumerate(values.items()):
        keep += [string(name, "a name in set"), string(_yaml(value), f"the value of {name}")]
        rows[k].name, rows[k].value = keep[-2:]
    keep.append(rows)
    return rows


def _yaml(value):
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_yaml(one) for one in value) + "]"
    if isinstance(value, (int, float)):
        return repr(value)
    raise ArgumentError(f"a value in set is a number, a text or a list, not {type(value).__name__}")


class Scene:
    """A scene that was read and checked: Scene("arch.yaml"), or Scene(text) where the text has more
    than one line; `name` stands for the path of a text in messages. `set` changes values by their
    path: {"let.mu": 0.3, "time.step": 0.001}. build() makes simulations of it."""

    def __init__(self, scene=None, *, set=None, most_bodies=0, text=None, name=None):
        keep, options = [], struct("SlipSceneOptions")
        options.most_bodies = most_bodies
        self.set = dict(set or {})
        if self.set:
            options.set, options.set_count = _set_values(self.set, keep), len(self.set)
        if text is None and isinstance(scene, str) and "\n" in scene:
            text = scene
        if text is not None:
            content = text.encode("utf-8", "surrogateescape")
            self._c = create("SlipScene", lib.slip_scene_read_memory, path_bytes(name or "scene"),
                             content, len(content), options, free=lib.slip_scene_free)
        else:
            self._c = create("SlipScene", lib.slip_scene_read, path_bytes(scene), options,
                             free=lib.slip_scene_free)

    name = property(lambda self: text_of(self._c.name), doc="its path")
    title = property(lambda self: text_of(self._c.title))
    description = property(lambda self: text_of(self._c.description))
    text = property(lambda self: text_of(self._c.text), doc="as it was read")
    end = property(lambda self: self._c.end, doc="seconds")
    step = property(lambda self: getattr(self._c, "def").step, doc="seconds")
    steps = property(lambda self: self._c.steps, doc="from the start to the end")
    record_every = property(lambda self: self._c.record_every, doc="steps between two records")
    record_contacts = property(lambda self: bool(self._c.record_contacts))
    bodies = property(lambda self: self._c.bodies, doc="how many")
    joints = property(lambda self: self._c.joints, doc="how many")
    materials = property(lambda self: self._c.materials, doc="how many")
    rules = property(lambda self: self._c.rules, doc="how many")
    forces = property(lambda self: self._c.forces, doc="how many")

    def build(self):
        """A new simulation of it, at time 0."""
        from ._sim import Sim

        return Sim(self)

    def _set_lines(self):
        return "".join(f"{name}={_yaml(value)}\n" for name, value in self.set.items())

    def __repr__(self):
        return (f"<scene {self.title or self.name!r}: {self.bodies} bodies, {self.joints} joints, "
                f"{shown(self.end)} s in steps of {shown(self.step)} s>")
