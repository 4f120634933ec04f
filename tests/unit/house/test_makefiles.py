#!/usr/bin/env python3
"""Makefiles: no line over 160 columns; every target that people type is known, and listed by `make help`, users' before maintainers'; a word
that is no target is answered with those like it, without Python."""
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
COLUMNS = 160


def makefiles():
    listed = subprocess.run(["git", "ls-files", "Makefile", "*.mk"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in listed.stdout.split()}


def awk(*words):
    names = [name for name in makefiles() if name != "tests/kernels/kernels.mk"]
    done = subprocess.run(["awk", "-f", "scripts/targets.awk", *words, "Makefile", *names[1:]], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def known():
    """Words of TARGETS, with lines that go on."""
    text = re.sub(r"\\\n\s*", " ", "".join(makefiles().values()))
    return {word for line in re.findall(r"^TARGETS \+?:?= (.*)$", text, flags=re.MULTILINE) for word in line.split()}


class Makefiles(unittest.TestCase):
    def test_lines(self):
        wide = [f"{name}:{n}" for name, text in makefiles().items() for n, line in enumerate(text.split("\n"), 1) if len(line) > COLUMNS]
        self.assertEqual(wide, [])
        self.assertGreater(len(makefiles()), 10)

    def test_targets_are_known_and_listed(self):
        text = "".join(makefiles().values())
        listed = re.findall(r"^##-? ([a-z0-9-]+): ", text, flags=re.MULTILINE)
        self.assertEqual(len(listed), len(set(listed)))
        self.assertEqual(set(listed) - known(), set())
        # What a recipe alone makes: a part of lint or formal, or what a test's `needs` names.
        self.assertEqual({name for name in known() - set(listed) if not name.startswith(("lint-", "formal-", "need-", "tested-"))}, set())
        for name in listed:
            self.assertRegex(text, rf"(?m)^{name}:", "has a rule")
        self.assertEqual(re.findall(r"^[a-z-]+:.* ## .*$", text, flags=re.MULTILINE), [], "a comment that make help does not read")

    def test_help(self):
        users, maintainers = awk("-v", "first=run build").split("\nfor maintainers")
        self.assertEqual(re.findall(r"^  make (\S+)", users, flags=re.MULTILINE)[:2], ["run", "build"])
        self.assertIn("  make test ", users)
        self.assertIn("  make mutate-core ", maintainers)
        self.assertNotIn("  make run ", maintainers)

    def test_near(self):
        for word, near in (("tset", "test"), ("runn", "run"), ("test-lunix", "test or test-linux"), ("coverage-all", "coverage"), ("qqqqqq", "")):
            self.assertEqual(awk("-v", f"near={word}").strip(), near)

    def test_no_target(self):
        environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES")}
        done = subprocess.run(["make", "help", "its'"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
        self.assertIn("its': there is no such target: `make help` lists them", done.stderr)


if __name__ == "__main__":
    unittest.main()
