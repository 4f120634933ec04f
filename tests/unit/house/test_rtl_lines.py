#!/usr/bin/env python3
"""scripts/rtl_lines.py: a planted line is found in each kind of file, and the sources have none."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def ask(*folders):
    return subprocess.run([ROOT / "scripts/rtl_lines.py", *folders], capture_output=True, text=True, check=False)


class Lines(unittest.TestCase):
    def test_planted(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "fetch"
            folder.mkdir()
            (folder / "good.sv").write_text("/" * 120 + "\n// sim/sim_top.sv\nassign a = u_tile.b;\n")
            self.assertEqual((ask(name).returncode, ask(name).stderr), (0, ""))
            for file, line, fault in (
                ("a.sv", "/" * 121, "121 columns, of at most 120: wrap it"),
                ("b.svh", "a;  ", "blanks at its end: take them out"),
                ("c.vlt", "//\t", "blanks at its end: take them out"),
                ("d.sv", "assign a = sim_top.u_tile.b;", "sim_top. names one tile only: begin with the instance that stands beside this one (u_tile.)"),
            ):
                path = folder / file
                path.write_text(f"a;\n{line}\n")
                done = ask(name)
                self.assertEqual((done.returncode, done.stderr), (1, f"{path}:2: {fault}\n"))
                path.unlink()

    def test_sources(self):
        self.assertEqual(ask().stderr, "")


if __name__ == "__main__":
    unittest.main()
