"""The runs of a case: each side built, run on a core under every check, and what the reports of its samples say.

A side that was run before, with the same program, model, command and options, is not run again.
"""
import hashlib
import json
import pathlib
import re
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "tests/cases"
BIN = ROOT / "build/bin"
PERIOD = 97
# What users of today's machines have (docs/guide/profiling.md), by the profiler that stands for it.
PROFILERS = {"TIP": "TIP", "NCI": "NCI, as Intel PEBS", "IBS": "dispatch, as AMD IBS", "Software": "perf by interrupts"}
STATES = ("Computing", "Stalled", "Flushed", "Drained")


def output(*words):
    done = subprocess.run([*map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"scripts/cases: {' '.join(map(str, words))}: status {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def table():
    return tomllib.loads((SOURCES / "cases.toml").read_text(encoding="utf-8"))


class Reports:
    """What the reports of a sample file say."""

    def __init__(self, samples, *options):
        self.samples, self.options_of_reports = samples, options
        self.read = {}

    def profile(self, profiler):
        """The JSON report by that profiler, all instructions, those with most time first."""
        if profiler not in self.read:
            # Only the samples' own report has the advice and the mispredictions.
            chosen = [] if profiler == "TIP" else ["--profiler", profiler]
            report = json.loads(output(BIN / "tipoff", "report", "--format", "json", "--top", 0, *chosen, *self.options_of_reports, self.samples))
            report["units"].sort(key=lambda unit: -unit["weight"])
            self.read[profiler] = report
        return self.read[profiler]

    def share(self, profiler, wanted):
        """The part of the time that a profiler has at the instructions that WANTED says: by its words, or of the components with an event."""
        report, found = self.profile(profiler), 0
        bits = 1 << report["events"].index(wanted["event"]) if "event" in wanted else 0
        for unit in report["units"]:
            if "instruction" in wanted and re.match(wanted["instruction"], unit.get("instruction", "")):
                found += unit["weight"]
            found += sum(part["weight"] for part in unit.get("stack", []) if part["state"] != "Computing" and part["psv"] & bits)
        return found / report["weight"]

    def bounds(self, wanted):
        """(at least, at most) of the time that goes with what WANTED says: by commit, and where nothing else were to be waited for."""
        if "mispredictions" not in wanted:
            share = self.share("Oracle", wanted)
            return share, share
        report = self.profile("TIP")
        branches = [branch for branch in report["mispredictions"] if re.match(wanted["mispredictions"], branch["instruction"])]
        here = sum(branch["cycles_here"] + branch["cycles_behind"] for branch in branches)
        return here / report["cycles"], sum(branch["cycles_late"] for branch in branches) / report["cycles"]

    def words(self, top):
        """The text report's states, its hottest instructions without their bars, and its first two pieces of advice."""
        text = output(BIN / "tipoff", "report", "--top", top, *self.options_of_reports, self.samples)
        block = lambda title: text[text.index(title) :].split("\n\n")[0].splitlines()
        rows = [re.sub(r" {3,}", "   ", re.sub(r" {2,}[█▓▒░]+ +", "   ", line)).rstrip() for line in block("Hottest instructions")]
        rows = [re.sub(r"; waits [\d,]+ cycles.*", "", row) for row in rows]
        advice = [line for line in block("What to do") if not line.strip().startswith("[")]
        return [*block("Where the cycles go")[:5], "", *rows, "", *advice[:5]]


class Side(Reports):
    """A program of tests/cases as one of a case's sides builds it, run on CONFIG."""

    def __init__(self, name, case, side, config, folder, small):
        self.name, self.label = side["name"], f"{name}.{side['file']}"
        self.elf = folder / f"{self.label}.elf"
        super().__init__(folder / f"{self.label}.{config}{'.small' * small}.tips")
        folder.mkdir(parents=True, exist_ok=True)
        output(BIN / "tipoff-cc", "-Wall", "-Wextra", "-Werror", *side.get("flags", []), (SOURCES / f"{name}.c").relative_to(ROOT), "-o", self.elf)
        arguments = case.get("small" if small else "arguments", [])
        options = case.get("small_options" if small else "options", case.get("options", []))
        self.options = [*options, *(["--", *arguments] if arguments else [])]
        self.printed = self.run(config)
        self.cycles = self.profile("TIP")["cycles"]

    def key(self, config):
        loaded = self.elf.with_suffix(".bin")  # symbols of the linker's temporary files differ each time
        output("riscv64-unknown-elf-objcopy", "-O", "binary", self.elf, loaded)
        parts = [loaded.read_bytes(), (BIN / "tipoff").read_bytes(), (ROOT / "build" / config / "model.so").read_bytes(), str((PERIOD, self.options)).encode()]
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()

    def run(self, config):
        kept = self.samples.with_suffix(".json")
        key = self.key(config)
        if kept.exists() and self.samples.exists():
            old = json.loads(kept.read_text(encoding="utf-8"))
            if old["key"] == key:
                return old["printed"]
        printed = output(
            BIN / "tipoff",
            "run",
            "--config",
            config,
            "--quiet",
            "--period",
            PERIOD,
            "--jitter=4",
            "--worker",
            "stall-causes",
            "--samples",
            self.samples,
            *self.options[: self.options.index("--") if "--" in self.options else None],
            self.elf,
            *self.options[self.options.index("--") if "--" in self.options else len(self.options) :],
        )
        kept.write_text(json.dumps({"key": key, "printed": printed}), encoding="utf-8")
        return printed


class LinuxSide(Reports):
    """A side of a change in scripts/programs/programs.toml, run whole under Linux; scripts/programs sees to its right result."""

    def __init__(self, program, side, config):
        folder = ROOT / "build/linux/programs" / f"{program}-{side['file']}"
        super().__init__(folder / f"{config}.tips", "--kernel", ROOT / "build/linux/kernel/vmlinux")
        self.name, self.printed = side["name"], ""
        kept = folder / f"{config}.json"
        if not kept.exists():
            raise SystemExit(
                f"scripts/cases: {kept} is missing: make linux-programs, then scripts/programs/measure.py --config {config} --changes --only {program}"
            )
        measured = json.loads(kept.read_text(encoding="utf-8"))
        self.cycles, self.own = measured["cycles"], measured["own"]


class Case:
    """All sides of a case. The first is the program as it is."""

    def __init__(self, name, config, folder, small=False):
        self.name, self.row = name, table()[name]
        if "linux" in self.row:
            self.sides = [LinuxSide(self.row["linux"], side, config) for side in self.row["sides"]]
            return
        self.sides = [Side(name, self.row, side, config, folder, small) for side in self.row["sides"][: self.row.get("small_sides") if small else None]]
        self.check()

    def check(self):
        for side in self.sides:
            if side.printed != self.sides[0].printed:
                raise SystemExit(f"scripts/cases: {self.name}: prints {self.sides[0].printed!r} as it is, {side.printed!r} with '{side.name}'")

    def gain(self, side):
        return self.sides[0].cycles / side.cycles

    @property
    def best(self):
        return min(self.sides, key=lambda side: side.cycles)

    @property
    def predicted(self):
        """(at least, at most): 1 / (1 - share)."""
        return tuple(1 / (1 - share) for share in self.sides[0].bounds(self.row["culprit"]))

    def named(self, profiler, top=1):
        """The first instructions of a profiler: (share, instruction, function and offset, source)."""
        report = self.sides[0].profile(profiler)
        return [
            (
                unit["weight"] / report["weight"],
                unit.get("instruction", ""),
                unit["name"],
                f"{pathlib.PurePath(unit.get('file', '?')).name}:{unit.get('line', 0)}",
            )
            for unit in report["units"][:top]
        ]
