#!/usr/bin/env python3
"""Tests can be started as the suite starts them: executable, and by the Python that has what they import."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
DEBIAN = "/usr/lib/python3/dist-packages"  # where zstandard is, without which python/tipoff does not load


def tests():
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "tests/*/test_*.py"], check=True, capture_output=True, text=True).stdout.split()
    return [ROOT / name for name in names if (ROOT / name).exists()]


class Executable(unittest.TestCase):
    def test_mode(self):
        suite = (ROOT / "tests/suite.toml").read_text(encoding="utf-8")
        started = [path for path in tests() if path.parent.name == "cli" or re.search(rf'command = "{path.relative_to(ROOT)}\b', suite)]
        self.assertGreater(len(started), 50)
        self.assertEqual([str(path.relative_to(ROOT)) for path in started if not path.stat().st_mode & 0o100], [])

    def test_module(self):
        wrong = []
        for path in tests():
            text = path.read_text(encoding="utf-8")
            if re.search(r"^(from|import) tipoff\b", text, flags=re.M) and not text.startswith("#!/usr/bin/python3") and DEBIAN not in text:
                wrong.append(str(path.relative_to(ROOT)))
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
