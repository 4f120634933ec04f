#!/usr/bin/env python3
"""The tables of faults fit the RTL as it is: each row names a place that occurs once, and is a fault that can be put in there."""
import os
import pathlib
import select
import signal
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/faults"))
import planting  # noqa: E402


class Table(unittest.TestCase):
    def check(self, name, least):
        rows = planting.rows(ROOT / f"tests/faults/{name}.tsv")
        self.assertGreaterEqual(len(rows), least)
        for row in rows:
            with self.subTest(table=name, number=row["number"], file=row["file"], original=row["original"]):
                self.assertEqual((ROOT / row["file"]).read_text(encoding="utf-8").count(row["original"]), 1)
                changed = planting.place(row["original"], [row])
                self.assertIsNotNone(changed)
                self.assertIn(f"fault_sel == {row['number']}", changed)

    def test_faults_have_their_place(self):
        self.check("faults", 60)

    def test_faults_of_numbers_have_their_place(self):
        self.check("numbers", 58)

    def test_faults_of_coherence_have_their_place(self):
        self.check("coherence", 75)


class Killed(unittest.TestCase):
    def test_leaves_no_run_behind(self):
        """However the campaign ends."""
        script = "import faults, subprocess; subprocess.run(faults.bound(['sh', '-c', 'echo $$; exec sleep 600']))"
        with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT / "scripts/faults", stdout=subprocess.PIPE, text=True) as campaign:
            run = int(campaign.stdout.readline())
            campaign.kill()
            left = campaign.stdout.read(1) if self.ends(run) else "runs"
        self.assertEqual(left, "")

    @staticmethod
    def ends(run):
        """Whether it ends by itself within a minute; it is ended, otherwise."""
        try:
            watch = os.pidfd_open(run)
        except ProcessLookupError:
            return True
        with os.fdopen(watch) as process:
            if select.select([process], [], [], 60)[0]:
                return True
            signal.pidfd_send_signal(process.fileno(), signal.SIGKILL)
        return False


if __name__ == "__main__":
    unittest.main()
