"""NumPy arrays and sparse matrices to the library and back.

Into the library go float64 and int32 arrays, made of whatever NumPy understands; the library copies
them. Out of it come read-only arrays that look at the library's own memory and keep its owner
alive.
"""

import sys

import numpy as np

from ._library import ArgumentError, ffi, text

INT32_MAX = 2**31 - 1


def shape_text(shape):
    return "(" + ", ".join(str(n) for n in shape) + ("," if len(shape) == 1 else "") + ")"


def numbers(value, name):
    """Any array of real numbers."""
    try:
        array = np.asarray(value)
    except Exception as error:
        raise ArgumentError(f"{name} is no array of numbers: {error}") from None
    if array.dtype.kind not in "fiub":
        raise ArgumentError(f"{name} must hold real numbers, not {array.dtype}")
    return array


def real(value, name, size=None):
    """A flat float64 array of a given size."""
    array = np.ascontiguousarray(numbers(value, name), dtype=np.float64).ravel()
    if size is not None and array.size != size:
        raise ArgumentError(
            f"{name} has {array.size} values in an array of shape {shape_text(np.shape(value))}; "
            f"{size} are wanted")
    return array


def each(value, name, count):
    """One float64 a contact: from an array, or one number for all."""
    array = numbers(value, name)
    if array.ndim == 0:
        return np.full(count, array, dtype=np.float64)
    return real(array, name, count)


def whole(value, name, size=None, dtype=np.int32):
    """A flat array of whole numbers of a given size."""
    array = numbers(value, name).ravel()
    if array.dtype.kind == "f" and array.size:
        raise ArgumentError(f"{name} must hold whole numbers, not {array.dtype}")
    limits = np.iinfo(dtype)
    if array.size and (array.min() < limits.min or array.max() > limits.max):
        raise ArgumentError(f"{name} has values that do not fit into {np.dtype(dtype)}")
    if size is not None and array.size != size:
        raise ArgumentError(f"{name} has {array.size} values; {size} are wanted")
    return np.ascontiguousarray(array, dtype=dtype)


_pointers = {np.dtype(np.float64): "double[]", np.dtype(np.int32): "int32_t[]",
             np.dtype(np.uint64): "uint64_t[]"}


def pointer(array, keep):
    """The address of an array; `keep` holds it while it is needed."""
    made = ffi.from_buffer(_pointers[array.dtype], array)
    keep.append(made)
    return made


def vector3(value, name, count=3):
    """Three numbers (or `count`), as a list for a field of a struct."""
    return list(real(value, name, count))


# ---- Matrices ------------------------------------------------------------------------------------


def is_sparse(value):
    """A sparse matrix or array of SciPy's, which need not be installed."""
    return hasattr(value, "tocsr") and hasattr(value, "format")


def _sparse_parts(value, name):
    if value.format not in ("csr", "csc", "coo"):
        value = value.tocsr()
    if value.data.dtype.kind not in "fiub":
        raise ArgumentError(f"{name} must hold real numbers, not {value.data.dtype}")
    if value.format == "coo":
        return "SLIP_TRIPLET", value.col, value.row, value.data
    return "SLIP_" + value.format.upper(), value.indptr, value.indices, value.data


def matrix(value, name, into, rows, cols, keep):
    """Fill a SlipMatrix with a NumPy array or a sparse matrix of any format."""
    shape = np.shape(value) if not is_sparse(value) else value.shape
    if shape != (rows, cols):
        raise ArgumentError(f"{name} has shape {shape_text(shape)}; ({rows}, {cols}) is wanted")
    into.rows, into.cols = rows, cols
    if is_sparse(value):
        layout, p, i, x = _sparse_parts(value, name)
        x = np.ascontiguousarray(x, dtype=np.float64)
        into.layout = ffi.typeof("SlipLayout").relements[layout]
        starts = {"SLIP_CSR": rows + 1, "SLIP_CSC": cols + 1, "SLIP_TRIPLET": x.size}[layout]
        into.p = pointer(whole(p, f"{name}'s pointers", starts), keep)
        into.i = pointer(whole(i, f"{name}'s indices", x.size), keep)
    else:
        x = np.asarray(numbers(value, name), dtype=np.float64).ravel(order="F")
        into.layout = ffi.typeof("SlipLayout").relements["SLIP_DENSE"]
    into.nnz = x.size
    into.x = pointer(x, keep)


class Csr:
    """A sparse matrix in compressed rows, where SciPy is not installed."""

    def __init__(self, data, indices, indptr, shape):
        self.data, self.indices, self.indptr, self.shape = data, indices, indptr, shape

    format = "csr"

    def toarray(self):
        dense = np.zeros(self.shape)
        for row in range(self.shape[0]):
            part = slice(self.indptr[row], self.indptr[row + 1])
            dense[row, self.indices[part]] = self.data[part]
        return dense

    def __repr__(self):
        return f"<{self.shape[0]}x{self.shape[1]} sparse matrix with {self.data.size} values>"

    def tocsr(self):
        return self


def sparse(lease, c):
    """A SlipMatrix in compressed rows, without copies: scipy.sparse.csr_matrix where SciPy is."""
    data = view(lease, c.x, (c.nnz,), np.float64)
    indices = view(lease, c.i, (c.nnz,), np.int32)
    indptr = view(lease, c.p, (c.rows + 1,), np.int32)
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        return Csr(data, indices, indptr, (c.rows, c.cols))
    return csr_matrix((data, indices, indptr), shape=(c.rows, c.cols), copy=False)


# ---- The library's memory as arrays --------------------------------------------------------------


class Lease:
    """Memory of the library's that arrays look at. `owner` is kept alive by them; `turn` counts how
    often its contents have changed; `mark` is held by each array, so that its references tell
    whether there are any; `lock`, where there is one, is held while the library writes.

    Who makes an array takes the mark first and looks at the turn then; who frees the memory changes
    the turn first and looks at the marks then. So one of the two sees the other."""

    __slots__ = ("owner", "turn", "mark", "lock")

    def __init__(self, owner, lock=None):
        self.owner, self.turn, self.mark, self.lock = owner, 0, Mark(), lock


class Mark:
    __slots__ = ()


def _references(lease):
    return sys.getrefcount(lease.mark)


_references_alone = _references(Lease(None))


def arrays_live(lease):
    """Whether an array still looks at this memory."""
    return _references(lease) > _references_alone


class _Memory:
    """What NumPy takes an array from, and keeps as its base."""

    __slots__ = ("__array_interface__", "owner", "mark")


def view(lease, address, shape, dtype):
    """A read-only array of the library's memory, without a copy."""
    dtype = np.dtype(dtype)
    if address == ffi.NULL or 0 in shape:
        return np.zeros(shape, dtype)
    memory = _Memory()
    memory.owner, memory.mark = lease.owner, lease.mark
    # NumPy takes records as bytes, and then gives them their fields.
    records = dtype.names is not None
    memory.__array_interface__ = {"version": 3, "shape": shape, "typestr": dtype.str,
                                  "data": (int(ffi.cast("uintptr_t", address)), True)}
    array = np.asarray(memory)
    return array.view(dtype) if records else array


def _format(kind):
    if kind.kind == "array":
        return (_format(kind.item), (kind.length,))
    if kind.kind == "enum":
        return np.dtype(np.int32)
    return np.dtype({"double": "f8", "int32_t": "i4", "uint32_t": "u4", "int64_t": "i8",
                     "uint64_t": "u8", "int": "i4"}[kind.cname])


def dtype_of(kind):
    """The structured dtype of a struct of numbers, from its definition."""
    kind = ffi.typeof(kind)
    fields = kind.fields
    return np.dtype({"names": [name for name, _ in fields],
                     "formats": [_format(field.type) for _, field in fields],
                     "offsets": [field.offset for _, field in fields],
                     "itemsize": ffi.sizeof(kind)})


# ---- Structs that the library fills --------------------------------------------------------------


class Fields:
    """A struct of the library's whose numbers and texts are attributes. It prints as a table and
    is made of the definition of the struct, so that it has every field."""

    _struct = ""
    _names = {}  # field -> function that gives the name of its value

    def __init__(self, c, lease=None):
        self._c, self._lease = c, lease

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._field_names():
            raise AttributeError(f"{type(self).__name__} has no attribute '{name}'")
        return self._value(name)

    def _value(self, name):
        value = getattr(self._c, name)
        if name in self._names:
            return self._names[name](value)
        if isinstance(value, ffi.CData):
            return text(value)
        return value

    @classmethod
    def _field_names(cls):
        """Those with one number or a text."""
        names = []
        for name, field in ffi.typeof(cls._struct).fields:
            kind = field.type
            char = kind.kind in ("array", "pointer") and kind.item.cname == "char"
            if name != "size" and (kind.kind in ("primitive", "enum") or char):
                names.append(name)
        return names

    def __dir__(self):
        return sorted(set(object.__dir__(self)) | set(self._field_names()))

    def asdict(self):
        """Its fields as a dict."""
        return {name: getattr(self, name) for name in self._field_names()}

    def __repr__(self):
        return f"{type(self).__name__}\n" + table_text(self._rows())

    def _rows(self):
        return [(name, shown(value)) for name, value in self.asdict().items() if value != ""]

    def _repr_html_(self):
        return table_html(self._rows())


def shown(value):
    """A value in a table."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def table_text(rows, header=None):
    """Rows of texts in columns; numbers are flush right."""
    rows = [tuple(map(str, row)) for row in ([header] if header else []) + list(rows)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))] if rows else []
    right = [header is not None and k > 0 and _numeric(rows[1:], k) for k in range(len(widths))]
    return "\n".join("  ".join(cell.rjust(w) if r else cell.ljust(w)
                               for cell, w, r in zip(row, widths, right)).rstrip() for row in rows)


def _numeric(rows, column):
    def number(cell):
        try:
            float(cell)
        except ValueError:
            return cell == "..."
        return True

    return all(number(row[column]) for row in rows)


def _escape(cell):
    return str(cell).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def table_html(rows, header=None, caption=None):
    """The same for notebooks."""
    lines = ["<table>"]
    if caption:
        lines.append(f"<caption>{_escape(caption)}</caption>")
    if header:
        lines.append("<tr>" + "".join(f"<th>{_escape(cell)}</th>" for cell in header) + "</tr>")
    for row in rows:
        lines.append("<tr>" + "".join(f"<td>{_escape(cell)}</td>" for cell in row) + "</tr>")
    return "\n".join(lines + ["</table>"])
