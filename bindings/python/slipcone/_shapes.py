"""Shapes of bodies, and structs of definitions filled by keywords."""

import numpy as np

from . import _arrays
from ._library import ArgumentError, choose, enumeration, ffi, string, struct, unknown

KINDS = enumeration("SlipShapeKind", "SLIP_SHAPE_")


def fill(c, kind, values, what, keep, names=None):
    """Fields of a definition from keywords: numbers, vectors, texts, and names out of the
    enumerations of `names` ({field: {name: number}})."""
    fields = dict(ffi.typeof(kind).fields)
    known = [name for name, field in fields.items() if name != "size" and _settable(field.type)]
    for name, value in values.items():
        if name not in known:
            raise unknown("keyword", name, known, what)
        field = fields[name].type
        if names and name in names:
            setattr(c, name, choose(value, names[name], name))
        elif field.kind == "array":
            setattr(c, name, _arrays.vector3(value, name, field.length))
        elif field.kind == "pointer":
            keep.append(string(value, name))
            setattr(c, name, keep[-1])
        else:
            _set_number(c, name, value)


def _settable(kind):
    if kind.kind == "pointer":
        return kind.item.cname == "char"
    return kind.kind == "primitive" or (kind.kind == "array" and kind.item.kind == "primitive")


def _set_number(c, name, value):
    try:
        setattr(c, name, value)
    except (TypeError, OverflowError) as error:
        raise ArgumentError(f"{name}: {error}") from None


class Shape:
    """A shape in the frame of its body: Shape.sphere(0.5), Shape.box(1, 2, 3), ... with position,
    rotation and material as keywords; Shape("hull", points=p) by the name of its kind."""

    def __init__(self, kind, *, points=None, triangles=None, material=-1, **fields):
        self._keep, self._c = [], struct("SlipShapeDef")
        self._c.kind = choose(kind, KINDS, "kind of shape")
        self.kind, self.material = kind, material
        fill(self._c, "SlipShapeDef", fields, f"shape {kind}", self._keep)
        if points is not None:
            points = _points(points)
            self._c.points = _arrays.pointer(points, self._keep)
            self._c.point_count = points.size // 3
        if triangles is not None:
            triangles = _arrays.whole(triangles, "triangles")
            if triangles.size % 3:
                raise ArgumentError(f"triangles has {triangles.size} values, no multiple of 3")
            self._c.triangles = _arrays.pointer(triangles, self._keep)
            self._c.triangle_count = triangles.size // 3

    @classmethod
    def sphere(cls, radius, **more):
        return cls("sphere", radius=radius, **more)

    @classmethod
    def box(cls, x, y, z, **more):
        """By its edges."""
        return cls("box", edges=(x, y, z), **more)

    @classmethod
    def capsule(cls, radius, length, **more):
        """Along z; length of the cylindrical part."""
        return cls("capsule", radius=radius, length=length, **more)

    @classmethod
    def cylinder(cls, radius, length, **more):
        """Along z."""
        return cls("cylinder", radius=radius, length=length, **more)

    @classmethod
    def half_space(cls, normal=(0, 0, 1), **more):
        """Below the plane through its origin with the outward normal."""
        return cls("half-space", normal=normal, **more)

    @classmethod
    def hull(cls, points, **more):
        """The convex hull of points."""
        return cls("hull", points=points, **more)

    @classmethod
    def mesh(cls, points, triangles, **more):
        """Triangles, counterclockwise from outside: for obstacles."""
        return cls("mesh", points=points, triangles=triangles, **more)

    @classmethod
    def disc(cls, radius, **more):
        """2D."""
        return cls("disc", radius=radius, **more)

    @classmethod
    def polygon(cls, points, **more):
        """2D: the convex hull of points."""
        return cls("polygon", points=points, **more)

    @classmethod
    def segment(cls, a, b, **more):
        """2D: from a to b."""
        return cls("segment", points=[a, b], **more)

    def __repr__(self):
        return f"<{self.kind}>"


def _points(points):
    """Rows of three numbers, flat; of two in 2D, with z = 0."""
    array = np.asarray(points)
    if array.ndim == 2 and array.shape[1] == 2:
        array = np.hstack([array, np.zeros((len(array), 1))])
    if array.ndim != 2 or array.shape[1] != 3:
        raise ArgumentError(f"points has shape {_arrays.shape_text(array.shape)}; (n, 3) is "
                            "wanted, or (n, 2) in 2D")
    return _arrays.real(array, "points")


class ShapeInfo:
    """A shape of a simulation or trajectory, as it was told: `kind`, `body` (its slot), `radius`,
    `length`, `edges`, `normal`, `position`, `rotation`, `points`, `triangles`."""

    def __init__(self, c, body):
        self.kind = {number: name for name, number in KINDS.items()}[c.kind]
        self.body, self.radius, self.length = body, c.radius, c.length
        for name in ("edges", "normal", "position", "rotation"):
            setattr(self, name, np.array(list(getattr(c, name))))
        self.points = _copied(c.points, c.point_count, "double")
        self.triangles = _copied(c.triangles, c.triangle_count, "int32_t")

    def __repr__(self):
        return f"<{self.kind} of body {self.body}>"


def _copied(address, count, kind):
    dtype = np.float64 if kind == "double" else np.int32
    if address == ffi.NULL or not count:
        return np.zeros((0, 3), dtype)
    content = ffi.buffer(address, 3 * count * np.dtype(dtype).itemsize)
    return np.frombuffer(bytes(content), dtype).reshape(-1, 3)
