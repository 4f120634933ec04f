"""What a sweep is made of: a TOML file read strictly, and the points that follow from it.

Every parameter is a key with one value or a list of them; the points are all combinations, the last key varying fastest. A point's id is a digest of
everything that its results depend on: parameters, the content of program and other files, the command and the model. So a finished point is found again
whatever else the file says, and one with any change is another point.
"""
import difflib
import hashlib
import itertools
import json
import os
import pathlib
import re
import tomllib

RESULTS = 1  # version of what a point's file holds

NUMBER, TEXT, PLACE, FILE = "a number from 0 on", "a text", "a cycle or a text", "a file's name"
BITS = 'a number from 1 on, or "none"'
PARAMETERS = {  # key: what its values are, the option of `tipoff run`
    "program": (FILE, None),
    "config": (TEXT, "--config"),
    "restore": (FILE, "--restore"),
    "input": (FILE, "--input"),
    "period": (NUMBER, "--period"),
    "jitter": (BITS, "--jitter"),
    "jitter_kind": (TEXT, "--jitter-kind"),
    "seed": (NUMBER, "--seed"),
    "harts": (NUMBER, "--harts"),
    "warmup": (NUMBER, "--warmup"),
    "sample_from": (PLACE, "--sample-from"),
    "sample_to": (PLACE, "--sample-to"),
    "max_insns": (NUMBER, "--max-insns"),
    "max_cycles": (NUMBER, "--max-cycles"),
}
TABLES = {"set": "keys for --set", "plot": "a curve"}
PLOT = {"x": str, "y": str, "by": list, "log": str, "file": str}
OFF_AT_0 = ("period", "warmup", "max_insns", "max_cycles")  # 0: the option is left out


class Error(Exception):
    """One line: file, fault, remedy."""


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def signature(path):
    """What shows without reading it that a file is as it was; None: no such file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]


class Point:
    def __init__(self, parameters, arguments, identity, files):
        self.parameters, self.arguments = parameters, arguments  # arguments: of `tipoff run`, without outputs
        self.files = files  # that its results depend on: [path, signature, digest]
        self.id = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:20]


class Plan:
    def __init__(self, path, build):
        self.path, self.build = pathlib.Path(path), pathlib.Path(build)
        self.tipoff = self.build / "bin/tipoff"
        self._digests = {}
        try:
            self.text = self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Error(f"{path}: cannot read: {getattr(error, 'strerror', None) or 'not UTF-8'}: name a TOML file") from error
        try:
            keys = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise Error(f"{path}: not TOML: {error}: mend that line") from error
        self.plots = keys.pop("plot", [])
        settings = keys.pop("set", {})
        self.axes = {key: self._values(key, value) for key, value in keys.items()}
        if not ("program" in self.axes or "restore" in self.axes):
            raise Error(f'{path}: names no program: write program = ["interp.small"], or restore = [...]')
        self.axes = {**{key: self.axes[key] for key in PARAMETERS if key in self.axes}, **self._settings(settings)}
        self.axes.setdefault("config", ["tea4"])
        for plot in self._checked_plots():
            self._check_plot(plot)

    # ---- reading ----
    def fault(self, key, what):
        """An error with the line that has the key, as it is written there."""
        last = re.escape(key.rsplit(".", maxsplit=1)[-1])
        for pattern in (rf"^\s*[\"']?{re.escape(key)}[\"']?\s*=", rf"^\s*\[+\s*{re.escape(key)}\s*\]+", rf"^\s*(?:[\w.]+\.)?[\"']?{last}[\"']?\s*="):
            found = re.search(pattern, self.text, re.M)
            if found:
                line = self.text.count("\n", 0, found.end()) + 1
                return Error(f"{self.path}:{line}: {key}: {what}")
        return Error(f"{self.path}: {key}: {what}")

    def _values(self, key, value):
        if key not in PARAMETERS:
            near = difflib.get_close_matches(key, [*PARAMETERS, *TABLES], 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join([*PARAMETERS, *TABLES])}"
            raise self.fault(key, f"no such key: {hint}")
        kind = PARAMETERS[key][0]
        values = value if isinstance(value, list) else [value]
        for one in values:
            number = type(one) is int and one >= 0
            fits = {NUMBER: number, PLACE: number or isinstance(one, str), BITS: number and one > 0 or one == "none"}
            if not fits.get(kind, isinstance(one, str)):
                raise self.fault(key, f"{one!r} is not {kind}: write one, or a list of them")
        if kind is FILE:
            values = [name for pattern in values for name in self._names(key, pattern)]
        return self._distinct(key, values)

    def _distinct(self, key, values):
        if not values:
            raise self.fault(key, "an empty list: there would be no point: write a value, or leave the key out")
        twice = next((value for i, value in enumerate(values) if value in values[:i]), None)
        if twice is not None:
            raise self.fault(key, f"{twice!r} stands there twice: leave it out once")
        return values

    def _names(self, key, pattern):
        """Files by name or, where no file has that name, by pattern, from the folder of the sweep's file; a workload by its name."""
        folder = self.path.parent
        if any(letter in pattern for letter in "*?[") and not self.file(key, pattern).is_file():
            found = sorted(pathlib.Path("/").glob(pattern.lstrip("/")) if pattern.startswith("/") else folder.glob(pattern))
            names = [str(file if pattern.startswith("/") else file.relative_to(folder)) for file in found]
        else:
            names = [pattern] if self.file(key, pattern).is_file() else []
        if not names:
            raise self.fault(
                key, f"no file {folder / pattern}" + (f", and no workload {pattern}: `tipoff workloads` lists them" if key == "program" else ": name another")
            )
        return names

    def file(self, key, name):
        path = self.path.parent / name
        workload = self.build / f"workloads/{name}.elf"
        return (workload if key == "program" and not path.exists() and workload.exists() else path).absolute()

    def _settings(self, table, above=""):
        if not isinstance(table, dict):
            raise self.fault("set", 'not a table: write [set] and below it "llc.latency" = [20, 40]')
        axes = {}
        for key, value in table.items():
            name = above + key
            if isinstance(value, dict):
                axes |= self._settings(value, name + ".")
                continue
            values = value if isinstance(value, list) else [value]
            if not all(type(one) in (int, float) for one in values):
                raise self.fault(name, "not a number: write one, or a list of them")
            axes[name] = self._distinct(name, values)
        return axes

    def _checked_plots(self):
        if not isinstance(self.plots, list) or not all(isinstance(plot, dict) for plot in self.plots):
            raise self.fault("plot", "not a list of tables: write [[plot]]")
        return self.plots

    def _check_plot(self, plot):
        for key, value in plot.items():
            if key not in PLOT:
                raise self.fault(key, f"no such key of a plot: there are {', '.join(PLOT)}")
            if not isinstance(value, PLOT[key]):
                raise self.fault(key, 'a list of parameters: write ["config"]' if PLOT[key] is list else "a text")
        for key in "x", "y":
            if key not in plot:
                raise self.fault("plot", f'a plot without {key}: write {key} = "..."')
        plot.setdefault("by", [key for key, values in self.axes.items() if len(values) > 1 and key not in (plot["x"], "seed")])
        plot.setdefault("log", "")
        plot.setdefault("file", f"{plot['y']}-by-{plot['x']}.svg")
        for key in [plot["x"], *plot["by"]]:
            if key not in self.axes:
                raise self.fault("plot", f"'{key}' is no parameter of this sweep: there are {', '.join(self.axes)}")
        if not all(type(value) in (int, float) for value in self.axes[plot["x"]]):
            raise self.fault("x", f"'{plot['x']}' is not of numbers: put it into by")
        if set(plot["log"]) - set("xy"):
            raise self.fault("log", 'write "x", "y" or "xy"')
        if "/" in plot["file"] or not plot["file"].endswith(".svg"):
            raise self.fault("file", "a name in the sweep's folder: write NAME.svg")

    # ---- points ----
    def _digest(self, path):
        """[path, signature, digest], as the file was when the sweep began."""
        if path not in self._digests:
            before = signature(path)  # taken first: what changes meanwhile differs from it later
            self._digests[path] = [str(path), before, digest(path) if path.is_file() else None]
        return self._digests[path]

    def arguments(self, parameters):
        """The options of `tipoff run` for a point; files from the root."""
        options, program = [], []
        for key, value in parameters.items():
            kind, option = PARAMETERS.get(key, (None, None))
            if kind is None:
                options += ["--set", f"{key}={value}"]
            elif (key in OFF_AT_0 and value == 0) or (key == "jitter" and parameters.get("period") == 0):
                continue
            elif key == "program":
                program = [str(self.file(key, value))]
            elif key == "jitter":
                options.append(f"--jitter={value}")
            else:
                options += [option, str(self.file(key, value) if kind is FILE else value)]
        return options + program

    def point(self, parameters):
        model = self.build / parameters["config"]
        files = [self.file(key, value) for key, value in parameters.items() if PARAMETERS.get(key, ("",))[0] is FILE]
        parts = [path for path in (model / "model.so", model / "hub.so") if path.name == "model.so" or path.is_file()]
        inputs = [self._digest(path) for path in [self.tipoff, *parts, model / "gen/config.json", *files]]
        return Point(parameters, self.arguments(parameters), [RESULTS, parameters, [content for _, _, content in inputs]], inputs)

    def points(self):
        return [self.point(dict(zip(self.axes, values))) for values in itertools.product(*self.axes.values())]
