#!/usr/bin/env python3
"""scripts/suite/kept.py: the kept result of a run is used for the same code, model, program, options and environment, made before the session, and for no other."""
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from suite import kept  # noqa: E402

# Counts its runs, writes what it is given, and its own number, to the file of --samples.
FAKE = """#!/bin/bash
echo "$*" >> {root}/runs
status=0
while [ $# -gt 0 ]; do
  case $1 in
    --samples|--notes) echo "run $(wc -l < {root}/runs)" > "$2"; echo "wrote $2"; shift;;
    --names-itself) echo "$2" > "$2"; shift;;
    --fails) status=3;;
    --folder) mkdir "$2"; shift;;
    --touches) echo changed > "$2"; shift;;
  esac
  shift
done
echo "a note" >&2
exit $status
"""


class Kept(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(dir="/var/tmp"))  # not where files may be written
        self.addCleanup(shutil.rmtree, self.root)
        for name in ("build/bin", "build/kept", "build/small2/gen", "build/other/gen"):
            (self.root / name).mkdir(parents=True)
        self.command = self.root / "build/bin/tipoff"
        self.command.write_text(FAKE.format(root=self.root))
        self.command.chmod(0o755)
        self.program = self.root / "build/a.elf"
        self.program.write_text("program")
        for config in ("small2", "other"):
            (self.root / f"build/{config}/model.so").write_text(config)
            (self.root / f"build/{config}/gen/config.json").write_text(config)
        (self.root / "runs").touch()
        self.linked("code")
        self.addCleanup(os.environ.pop, "TIPOFF_KEPT", None)

    def linked(self, digest):
        (self.root / "build/kept/tipoff").write_text(f"{hashlib.sha256(self.command.read_bytes()).hexdigest()}\n{digest}\n")

    def runs(self):
        return len((self.root / "runs").read_text().splitlines())

    def session(self, use=True):
        time.sleep(0.01)
        kept.begin(use, self.root)

    def run_it(self, *words, option="--samples", name="x.tips", **options):
        """(whether it ran, its file's text, status, stdout without the folder)"""
        before = self.runs()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            options = {"capture_output": True, "text": True, "cwd": self.root, **options}
            done = kept.run([self.command, "run", "--quiet", option, path, *words, self.program], root=self.root, **options)
            text = path.read_text() if path.is_file() else None
            return self.runs() > before, text, done.returncode, done.stdout.replace(folder, "") if isinstance(done.stdout, str) else done.stdout

    def keep(self, *words, **options):
        self.session(use=False)
        first = self.run_it(*words, **options)
        self.assertTrue(first[0])
        return first

    def test_used(self):
        first = self.keep("--period", "97")
        self.session()
        again = self.run_it("--period", "97")
        self.assertEqual(again, (False, "run 1\n", 0, "wrote /x.tips\n"))
        self.assertEqual(again[1:], first[1:])
        self.assertEqual(kept.used(self.root), 1)
        self.assertIn(b"wrote ", self.run_it("--period", "97", text=False)[3])
        self.assertTrue(self.run_it("--period", "98")[0])

    def test_two_of_one_session_are_both_made(self):
        self.session()
        self.assertTrue(self.run_it()[0])
        self.assertTrue(self.run_it()[0])

    def test_nothing_is_used_where_nobody_asks(self):
        self.keep()
        self.session(use=False)
        self.assertTrue(self.run_it()[0])
        os.environ.pop("TIPOFF_KEPT")
        self.assertTrue(self.run_it()[0])

    def changed(self, change):
        self.keep()
        change()
        self.session()
        self.assertTrue(self.run_it()[0])

    def test_program(self):
        self.changed(lambda: self.program.write_text("PROGRAM"))

    def test_model(self):
        self.changed(lambda: (self.root / "build/small2/model.so").write_text("better"))

    def test_configuration(self):
        self.changed(lambda: (self.root / "build/small2/gen/config.json").write_text("better"))

    def test_code(self):
        self.changed(lambda: self.linked("othercode"))

    def test_command_whose_code_is_not_known(self):
        self.changed(lambda: self.command.write_text(self.command.read_text() + "# built again\n"))

    def test_other_configuration(self):
        self.keep("--config", "other")
        (self.root / "build/other/model.so").write_text("better")
        self.session()
        self.assertTrue(self.run_it("--config", "other")[0])

    def test_environment(self):
        self.addCleanup(os.environ.pop, "TIPOFF_THREADS", None)
        self.changed(lambda: os.environ.update(TIPOFF_THREADS="1"))

    def test_code_elsewhere(self):
        """Another command whose run is the same one."""
        self.keep()
        self.command.write_text(self.command.read_text() + "# another report\n")
        self.linked("code")
        self.session()
        self.assertFalse(self.run_it()[0])

    def test_what_is_not_kept(self):
        for words, options in (
            (["--fails"], {}),
            (["--touches", self.program], {}),
            (["--samples", "left.tips"], {}),  # in the root
            (["--samples", "build/none/left.tips"], {}),
            ([], {"option": "--folder"}),
            ([], {"option": "--names-itself"}),
            ([], {"cwd": "/"}),
            ([], {"env": dict(os.environ)}),
            ([], {"input": "text"}),
        ):
            self.session(use=False)
            self.run_it(*words, **options)
            (self.root / "left.tips").unlink(missing_ok=True)
            self.program.write_text("program")
            self.session()
            self.assertTrue(self.run_it(*words, **options)[0], f"{words} {options}")
            (self.root / "left.tips").unlink(missing_ok=True)
            self.program.write_text("program")

    def test_loud(self):
        """A run that prints a report depends on more code."""
        for _ in range(2):
            self.session()
            before = self.runs()
            kept.run([self.command, "run", self.program], root=self.root, capture_output=True, cwd=self.root)
            self.assertEqual(self.runs(), before + 1)

    def test_a_program_in_a_temporary_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "p.elf"
            program.write_text("program")
            self.keep(program)
            self.session()
            self.assertTrue(self.run_it(program)[0])

    def test_old_ones_go(self):
        self.keep()
        (entry,) = (self.root / "build/kept").glob("*/meta")
        os.utime(entry.parent, (0, 0))
        self.session()
        self.assertFalse(entry.exists())

    def test_the_real_command(self):
        """No report and no method is in the code that quiet runs depend on, and they do not miss it."""
        linked = ROOT / "build/kept/tipoff.run"
        names = subprocess.run(["nm", linked], capture_output=True, text=True, check=True).stdout.split()
        self.assertIn("cmd_run", names)
        self.assertFalse({"report_text", "report_csv", "run_open_images", "advice_find"} & set(names))
        alone = self.root / "build/bin/tipoff-alone"
        shutil.copy(linked, alone)
        for name in ("model.so", "gen/config.json"):
            shutil.copy(ROOT / "build/small2" / name, self.root / "build/small2" / name)
        words = ["run", "--config", "small2", "--quiet", "--period", "97", "--samples", self.root / "x.tips", ROOT / "build/workloads/interp.small.elf"]
        done = subprocess.run([alone, *words], capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = subprocess.run([alone, *(word for word in words if word != "--quiet")], capture_output=True, check=False, timeout=120)
        self.assertEqual(done.returncode, -signal.SIGABRT)  # a loud one does


if __name__ == "__main__":
    unittest.main()
