#!/usr/bin/env python3
"""A view and an export cost one file and one line each: with those of this folder, the command has them in every format, in --help and in its messages;
in the page, test_new_page.py."""
import csv
import json
import pathlib
import shlex
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
HERE = pathlib.Path(__file__).resolve().parent
REGISTRIES = {"units": "row(instruction)", "formats": "row(text)"}  # a line of each
ADDED = {"units": ("row(state)", "new_view"), "formats": ("row(weights)", "new_export")}


def run(*command, status=0):
    done = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise AssertionError(f"{' '.join(map(str, command))[:200]}: status {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-3000:]}")
    return done.stderr if status else done.stdout


def commands():
    """How make compiles formats.c, and how it links the command: lists of words."""
    lines = run("make", "-n", "-W", "csrc/report/formats.c", "build/bin/tipoff").splitlines()
    words = [shlex.split(line) for line in lines if not line.startswith(("echo", "mkdir"))]
    compiles = [w for w in words if "build/obj/csrc/report/formats.o" in w and "-c" in w]
    links = [w for w in words if "build/bin/tipoff" in w and "build/obj/csrc/report/formats.o" in w]
    return compiles[0], links[0]


def place(room):
    """Where the command goes, so that it finds the page."""
    (room / "bin").mkdir()
    (room / "html").symlink_to(ROOT / "build/html")
    return room / "bin/tipoff"


class NewView(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        room = pathlib.Path(cls.folder.name)
        compiled, linked = commands()
        for registry, (row, added) in ADDED.items():
            text = (ROOT / f"csrc/report/{registry}.c").read_text(encoding="utf-8")
            first = REGISTRIES[registry]
            assert text.count(first) == 1, registry
            (room / f"{registry}.c").write_text(text.replace(first, f"{first} {row}"), encoding="utf-8")
            for source in (room / f"{registry}.c", HERE / f"{added}.c"):
                words = {"build/obj/csrc/report/formats.o": str(room / f"{source.stem}.o"), "csrc/report/formats.c": str(source)}
                run(*(words.get(word, word) for word in compiled))
            where = linked.index(f"build/obj/csrc/report/{registry}.o")
            linked[where : where + 1] = [str(room / f"{registry}.o"), str(room / f"{added}.o")]
        cls.command = place(room)
        run(*(cls.command if word == "build/bin/tipoff" else word for word in linked))
        cls.samples = room / "a.tips"
        run("build/bin/tipoff", "run", "--config", "small2", "--quiet", "--period", 97, "--samples", cls.samples, "build/workloads/interp.small.elf")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def report(self, *options, status=0):
        return run(self.command, "report", *options, self.samples, status=status)

    def test_view(self):
        whole = json.loads(self.report("--format", "json"))
        states = {name: weight for name, weight in whole["states"].items() if name != "Other"}
        lines = self.report("--by", "state", "--format", "csv").splitlines()
        commented = self.report("--by", "state", "--format", "csv", "--comments").splitlines()
        self.assertEqual(commented, [f"# U={whole['U']} cycles={whole['cycles']} samples={whole['samples']}", *lines])
        rows = list(csv.DictReader(lines))
        self.assertEqual([*rows[0]], ["state", "cycles", "share", "words"])
        self.assertEqual(
            {row["state"]: round(whole["U"] * float(row["cycles"])) for row in rows}, {name: states[name] for name in (row["state"] for row in rows)}
        )
        self.assertAlmostEqual(sum(float(row["share"]) for row in rows), 1)
        objects = json.loads(self.report("--by", "state", "--format", "json"))
        self.assertEqual(objects["weight"], whole["weight"])
        self.assertEqual([{key: str(value) for key, value in o.items()} for o in objects["rows"]], [dict(row, share=str(float(row["share"]))) for row in rows])
        text = self.report("--by", "state")
        self.assertIn("Commit states (4 of 4)", text)
        first = rows[0]
        cycles = f"{int(float(first['cycles']) + 0.5):,}"
        line = next(line for line in text[text.index("Commit states") :].splitlines() if line.strip().startswith(first["state"]))
        self.assertEqual(line.split(), [first["state"], cycles, f"{100 * float(first['share']):.1f}", "%"])

    def test_top(self):
        text = self.report("--by", "state", "--top", "2")
        self.assertIn("Commit states (2 of 4)", text)
        self.assertEqual(len(text[text.index("Commit states") :].splitlines()), 4)

    def test_lists(self):
        self.assertIn("state        a commit state\n", run(self.command, "report", "--by", "help"))
        self.assertIn("text (default), weights, csv", run(self.command, "report", "--help").replace("\n" + " " * 29, " "))
        self.assertIn("output format: text (default), csv, json\n", run(self.command, "compare", "--help").replace("\n" + " " * 29, " "))

    def test_export(self):
        lines = self.report("--format", "weights").splitlines()
        functions = json.loads(self.report("--by", "function", "--format", "json"))["units"]
        self.assertEqual(sorted(lines), sorted(f"{unit['weight']} {unit['name']}" for unit in functions))
        self.assertIn("--format weights: not with --by, which has text, csv, json", self.report("--by", "state", "--format", "weights", status=2))


if __name__ == "__main__":
    unittest.main()
