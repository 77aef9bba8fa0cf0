"""Methods, their options, and the laws of contact, as the library's tables have them.

Nothing here names a method or an option: names, ranges, defaults and help texts are read when the
package is loaded, and checks, documentation and tab completion are made of them.
"""

import inspect
import keyword

from ._arrays import table_html, table_text
from ._library import ArgumentError, call, create, ffi, lib, string, text, unknown


def python_name(name):
    """max-iter is max_iter in Python; a word of the language, as `from`, is from_."""
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def c_name(name):
    return name.rstrip("_").replace("_", "-")


class Option:
    """One option: `name`, `type` ("real", "int", "bool" or "choice"), `default`, `range` or
    `choices`, and `help`."""

    def __init__(self, c, default):
        self.name = python_name(text(c.name))
        self.type = ffi.typeof("SlipOptionType").elements[c.type][len("SLIP_OPTION_"):].lower()
        self.choices = tuple(_texts(c.choices)) if self.type == "choice" else None
        self.range = (c.min, c.max) if self.type in ("real", "int") else None
        self.default = self._read(default)
        self.help = text(c.help)

    def _read(self, value):
        if self.type == "choice":
            return value
        if self.type == "bool":
            return value in ("on", "true", "1")
        return int(value) if self.type == "int" else float(value)

    def __repr__(self):
        return f"{self.name}={self.default!r}: {self.help}"


def _texts(pointers):
    k = 0
    while pointers != ffi.NULL and pointers[k] != ffi.NULL:
        yield text(pointers[k])
        k += 1


class Table(dict):
    """Names with what they stand for; also as attributes, which tab completion knows."""

    _header = ("name", "")

    def __getattr__(self, name):
        for key in (name, c_name(name)):
            if key in self:
                return self[key]
        raise AttributeError(f"there is no '{name}'")

    def __dir__(self):
        return sorted(set(object.__dir__(self)) | {python_name(name) for name in self})

    def _rows(self):
        return [(name, _line(value)) for name, value in self.items()]

    def __repr__(self):
        return table_text(self._rows())

    def _repr_html_(self):
        return table_html(self._rows())


def _line(value):
    if isinstance(value, Option):
        allowed = value.choices or value.range or ("off", "on")
        return f"{value.default}  {value.help} ({' | '.join(map(str, allowed))})"
    return getattr(value, "summary", str(value))


class Method:
    """One method: `name`, `family`, `summary`, `options` of its own, `all_options` with those that
    every method has, and whether it is `associated`, a method for the convex relaxation. Called
    with options it gives Settings: methods().psor(omega=1.4)."""

    def __init__(self, c):
        self._c = c
        self.name, self.family, self.summary = text(c.name), text(c.family), text(c.summary)
        self.associated = bool(c.associated)
        made = (Option(c.options[k], text(lib.slip_method_default(c, k)))
                for k in range(c.option_count))
        self.options = Table((option.name, option) for option in made)
        self.all_options = Table({**self.options, **common_options()})
        self.__doc__ = "\n\n".join([self.summary, repr(self.options),
                                    f"Of every method:\n{common_options()!r}"])
        self.__signature__ = _signature(self.all_options.values())

    def takes(self, law="coulomb", flow="coulomb", dimension=3):
        """Whether it can treat contacts of a law and flow, and problems of a dimension."""
        law, flow = law_number(law), flow_number(flow)
        return bool(lib.slip_method_takes_law(self._c, law, flow) and
                    lib.slip_method_takes_dimension(self._c, dimension))

    def __call__(self, **options):
        return Settings(self.name, **options)

    def __repr__(self):
        return f"{self.name}: {self.summary}" + (f"\n{self.options!r}" if self.options else "")


def _signature(options):
    return inspect.Signature([inspect.Parameter(o.name, inspect.Parameter.KEYWORD_ONLY,
                                                default=o.default) for o in options])


_cache, _methods = {}, {}


def common_options():
    """The options that every method has."""
    if "common" not in _cache:
        count = ffi.new("int *")
        table = lib.slip_common_options(count)
        made = (Option(table[k], text(table[k].initial)) for k in range(count[0]))
        _cache["common"] = Table((option.name, option) for option in made)
    return _cache["common"]


def methods():
    """All methods by name, as a table."""
    if "methods" not in _cache:
        names = [text(lib.slip_method_info(k).name) for k in range(lib.slip_method_count())]
        _cache["methods"] = Table((name, _method(name)) for name in names)
    return _cache["methods"]


def _method(name):
    """A method by name; the others are not read for it."""
    if name not in _methods:
        if not isinstance(name, str):
            raise ArgumentError(f"a method is named by a str, not {type(name).__name__}")
        found = lib.slip_method_find(c_name(name).encode())
        if found == ffi.NULL:
            raise unknown("method", name, methods())
        _methods[name] = Method(found)
    return _methods[name]


def options(method="auto"):
    """The options of a method, its own and those that every method has."""
    return _method(method).all_options


# ---- Laws ----------------------------------------------------------------------------------------


def laws():
    """The laws of contact by name, with their numbers."""
    if "laws" not in _cache:
        names = Table()
        while lib.slip_law_name(len(names)) != ffi.NULL:
            names[text(lib.slip_law_name(len(names)))] = len(names)
        _cache["laws"] = names
    return _cache["laws"]


FLOWS = {"coulomb": lib.SLIP_FLOW_COULOMB, "associated": lib.SLIP_FLOW_ASSOCIATED}


def law_number(law):
    return _number(law, laws(), "law")


def flow_number(flow):
    return _number(flow, FLOWS, "flow")


def _number(value, names, what):
    if isinstance(value, str):
        if value not in names:
            raise unknown(what, value, names)
        return names[value]
    return value


def law_flows(law):
    """Whether a law has a flow rule, so that `flow` means something for it."""
    return bool(lib.slip_law_flows(law_number(law)))


# ---- Settings ------------------------------------------------------------------------------------


class Settings:
    """A method with the values of its options, which are attributes: Settings("psor", omega=1.4),
    settings.tol = 1e-8. Tab completion knows them; a name that is none is refused with the
    nearest."""

    def __init__(self, method=None, **options):
        if isinstance(method, Settings):
            self._copy(method)
        else:
            self._start(_method("auto" if method is None else method).name)
        for name, value in options.items():
            setattr(self, name, value)

    def _start(self, method):
        made = create("SlipSettings", lib.slip_settings_create, method.encode(),
                      free=lib.slip_settings_free)
        object.__setattr__(self, "_c", made)

    def _copy(self, other):
        self._start(other.method)
        for name, option in other._options().items():
            value = getattr(other, name)
            if value != option.default:
                setattr(self, name, value)

    @property
    def method(self):
        """The name of the method."""
        return text(lib.slip_settings_method(self._c))

    def _options(self):
        return options(self.method)

    def _known(self, name):
        table = self._options()
        if python_name(name) not in table:
            raise unknown("option", name, table, f"method {self.method}")
        return table[python_name(name)]

    def __setattr__(self, name, value):
        option = self._known(name)
        key = c_name(option.name).encode()
        if isinstance(value, str):
            call(lib.slip_settings_set, self._c, key, string(value, name))
            return
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            kind = type(value).__name__
            raise ArgumentError(f"option {option.name} takes a {option.type}, not {kind}") from None
        call(lib.slip_settings_set_real, self._c, key, number)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            option = self._known(name)
        except ArgumentError as error:
            raise AttributeError(str(error)) from None
        value = ffi.new("double *")
        call(lib.slip_settings_get_real, self._c, c_name(option.name).encode(), value)
        if option.type == "choice":
            return option.choices[int(value[0])]
        return {"real": float, "int": int, "bool": bool}[option.type](value[0])

    def __dir__(self):
        return sorted(set(object.__dir__(self)) | set(self._options()))

    def asdict(self):
        """The values of all options."""
        return {name: getattr(self, name) for name in self._options()}

    def __repr__(self):
        changed = [f"{name}={getattr(self, name)!r}" for name, option in self._options().items()
                   if getattr(self, name) != option.default]
        return f"Settings({', '.join([repr(self.method)] + changed)})"


def documented(function):
    """Add the options that every method has to the documentation and the signature of a function
    that takes them by keyword; they come from the library's table."""
    lines = [f"    {option!r}" for option in common_options().values()]
    function.__doc__ = inspect.cleandoc(function.__doc__) + "\n\nOptions of every method:\n" + \
        "\n".join(lines) + "\n\nslipcone.methods() has all methods, slipcone.options(method) " \
        "the options of one."
    given = inspect.signature(function)
    *fixed, rest = given.parameters.values()
    if rest.kind is not inspect.Parameter.VAR_KEYWORD:
        return function
    names = {parameter.name for parameter in fixed}
    added = [inspect.Parameter(o.name, inspect.Parameter.KEYWORD_ONLY, default=o.default)
             for o in common_options().values() if o.name not in names]
    function.__signature__ = given.replace(parameters=[*fixed, *added, rest])
    return function
