#!/usr/bin/env python3
"""Which tests a change calls for (scripts/suite/): by a small tree of its own; what has passed, and what goes on record."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from suite import changed, groups, inputs, trace  # noqa: E402

SUITE = """
[inputs]
iss = ["csrc/base/", "csrc/iss/"]
core = ["@iss", "rtl/", "!rtl/rivals/", "tables/config/{config}.toml"]

[[group]]
name = "always"
command = "true"
inputs = ["always", "docs/"]
[[group]]
name = "core/{config}"
for.config = ["small2", "tea4"]
command = "true {config}"
inputs = ["@core={config}"]
[[group]]
name = "rivals"
command = "true"
inputs = ["rtl/rivals/"]
[[group]]
name = "unit/{stem}"
glob = "tests/unit/*/test_*.c"
command = "true {stem}"
inputs = ["includes:tests/unit/{test}/{stem}.c"]
[[group]]
name = "bench/{test}"
glob = "tests/unit/rtl/*/sources.f"
command = "true {test}"
inputs = ["list:tests/unit/rtl/{test}/sources.f"]
[[group]]
name = "script"
command = "python3 tests/x/test_x.py"
inputs = ["tests/x/*.txt"]
[[group]]
name = "page"
short = []
command = "test ! -e fails"
inputs = ["html/"]
"""
FILES = {
    "csrc/base/a.h": "",
    "csrc/base/a.c": '#include "base/a.h"\n',
    "csrc/iss/i.h": '#include "base/a.h"\n',
    "csrc/iss/i.c": '#include "i.h"\n',
    "csrc/report/r.h": "",
    "csrc/report/r.c": '#include "report/r.h"\n#include "iss/i.h"\n',
    "csrc/cli/tool.h": "",
    "csrc/cli/tool.c": '#include "cli/tool.h"\n#include "report/r.h"\n',
    "csrc/cli/other.c": "",
    "rtl/core.sv": "",
    "rtl/lfsr.sv": "",
    "rtl/rivals/r.sv": "",
    "tables/config/small2.toml": "",
    "tables/config/tea4.toml": "",
    "docs/page.md": "",
    "html/page.ts": "",
    "tests/unit/base/test_a.c": '#include "base/a.h"\n',
    "tests/unit/report/test_r.c": '#include "report/r.h"\n',
    "tests/unit/cli/test_tool.c": '#include "cli/tool.h"\n',
    "tests/unit/rtl/lfsr/sources.f": "rtl/lfsr.sv\n",
    "tests/x/test_x.py": "import helper\n",
    "tests/x/helper.py": "",
    "tests/y/helper.py": "",
    "tests/x/a.txt": "",
    "tests/suite.toml": SUITE,
    ".gitignore": "/build/\n__pycache__/\n",
}
UNIT = ["unit/test_a", "unit/test_r", "unit/test_tool"]
CALLS = {  # a file that changes: the tests beside `always`
    "csrc/base/a.c": ["core/small2", "core/tea4", *UNIT],
    "csrc/iss/i.c": ["core/small2", "core/tea4", "unit/test_r", "unit/test_tool"],
    "csrc/report/r.c": ["unit/test_r", "unit/test_tool"],
    "csrc/cli/tool.c": ["unit/test_tool"],
    "rtl/core.sv": ["core/small2", "core/tea4"],
    "rtl/lfsr.sv": ["bench/lfsr", "core/small2", "core/tea4"],
    "rtl/rivals/r.sv": ["rivals"],
    "tables/config/tea4.toml": ["core/tea4"],
    "docs/page.md": [],
    "html/page.ts": ["page"],  # nothing of `make test` reads it
    "tests/x/helper.py": ["script"],
    "tests/x/a.txt": ["script"],
    "tests/unit/base/test_a.c": ["unit/test_a"],
}
EVERYTHING = ["always", "bench/lfsr", "core/small2", "core/tea4", "rivals", "script", *UNIT]


class Tree(unittest.TestCase):
    """A tree of its own, with its git and the runner in it."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.tree = pathlib.Path(self.folder.name)
        for name, text in FILES.items():
            self.write(name, text)
        shutil.copytree(ROOT / "scripts/suite", self.tree / "scripts/suite", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("run_tests.py", "junit_xml.py", "stale.py"):
            shutil.copy(ROOT / "scripts" / name, self.tree / "scripts")
        self.write("Makefile", "")
        self.git("init", "-q", ".")
        self.commit()

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.tree, check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "one")

    def run_tests(self, *words, status=0):
        done = subprocess.run(
            [sys.executable, self.tree / "scripts/run_tests.py", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def ran(self, *words, status=0):
        return sorted(line.split()[1] for line in self.run_tests(*words, status=status).stdout.splitlines() if line.startswith(("PASS", "FAIL")))


class Changed(Tree):
    def select(self, *files):
        suite = groups.load(self.tree / "tests/suite.toml")
        names = {test.name for test in groups.wanted(suite["group"], root=self.tree)}
        everything = groups.tests_of(suite["group"], self.tree)
        known = inputs.Inputs(suite, inputs.tree(self.tree) | set(files), self.tree)
        tests, unknown = changed.select(
            [test for test in everything if test.name in names], [test for test in everything if test.name not in names], set(files), known
        )
        return sorted(test.name for test in tests), unknown

    def test_each_file(self):
        for name, expected in CALLS.items():
            self.assertEqual(self.select(name), (["always", *sorted(expected)], []), name)

    def test_a_file_that_no_group_names(self):
        for name in ("Makefile", "csrc/cli/other.c", "new/file", "tests/y/helper.py"):
            self.assertEqual(self.select(name, "docs/page.md"), (EVERYTHING, [name]), name)

    def test_what_differs(self):
        """Committed, written, added, removed; and what is left out."""
        self.assertEqual(self.ran("--changed", "HEAD"), ["always"])
        self.write("csrc/report/r.c", '#include "report/r.h"\nint a;\n')
        done = self.run_tests("--changed", "HEAD").stdout
        self.assertIn("1 file differ", done)
        self.assertTrue(done.endswith("3 passed, 0 failed\nleft out: 6 tests of 5 groups, whose inputs are those of HEAD: make test runs them\n"), done)
        self.commit()
        self.assertEqual(self.ran("--changed", "HEAD"), ["always"])
        self.assertEqual(self.ran("--changed", "HEAD~1"), ["always", "unit/test_r", "unit/test_tool"])
        (self.tree / "tests/x/a.txt").unlink()
        self.assertEqual(self.ran("--changed", "HEAD"), ["always", "script"])
        self.write("rtl/rivals/new.sv", "")
        self.assertEqual(self.ran("--changed", "HEAD"), ["always", "rivals", "script"])
        self.write("elsewhere", "")
        done = self.run_tests("--changed", "HEAD").stdout
        self.assertIn("no group of suite.toml names elsewhere as an input: everything runs", done)
        self.assertIn(f"{len(EVERYTHING)} passed", done)

    def test_a_command_that_differs(self):
        """The suite itself is an input of the tests that it redefines."""
        self.write("tests/suite.toml", SUITE.replace('inputs = ["always", "docs/"]', 'inputs = ["always", "docs/", "tests/suite.toml"]'))
        self.commit()
        self.write("tests/suite.toml", (self.tree / "tests/suite.toml").read_text().replace('command = "true {config}"', 'command = "true # {config}"'))
        self.assertEqual(self.ran("--changed", "HEAD"), ["always", "core/small2", "core/tea4"])

    def test_no_such_revision(self):
        for words in (("--changed", "nonsense"), ("--changed", "--help"), ("--changed", "nonsense", "--needs")):
            done = subprocess.run(
                [sys.executable, self.tree / "scripts/run_tests.py", words[0] + "=" + words[1], *words[2:]], capture_output=True, text=True, check=False
            )
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("there is no such revision", done.stderr)

    def test_a_set_that_is_not_there(self):
        self.write("tests/suite.toml", SUITE.replace('"@core={config}"', '"@cores"'))
        self.assertIn("there is no set @cores: core, iss", self.run_tests("--changed", "HEAD", status=2).stderr)


class Traced(unittest.TestCase):
    def test_opened(self):
        """What strace writes: read, written, made, a folder, not there, elsewhere."""
        lines = """openat(AT_FDCWD</t/tests>, "suite.toml", O_RDONLY) = 3</t/tests/suite.toml>
openat(4</t/rtl>, "core.sv", O_RDONLY|O_CLOEXEC) = 5</t/rtl/core.sv>
openat(AT_FDCWD</t>, "made", O_RDWR|O_CREAT, 0666) = 3</t/made>
openat(AT_FDCWD</t>, "written", O_WRONLY) = 3</t/written>
openat(AT_FDCWD</t>, "rtl", O_RDONLY|O_DIRECTORY) = 3</t/rtl>
openat(AT_FDCWD</t>, "absent", O_RDONLY) = -1 ENOENT (No such file or directory)
openat(AT_FDCWD</t>, "/u/tests/suite.toml", O_RDONLY) = 3</u/tests/suite.toml>""".splitlines()
        files = {"tests/suite.toml", "rtl/core.sv", "made", "written", "rtl", "absent"}
        self.assertEqual(trace.opened(lines, files, "/t"), {"tests/suite.toml", "rtl/core.sv"})


class PassedBefore(Tree):
    def test_goes_on(self):
        """What has passed at this state of its inputs is not run again; what failed, what was not reached and what changed is."""
        self.assertEqual(self.ran(), EVERYTHING)
        self.write("fails", "")
        self.commit()
        self.assertEqual(self.ran("--all", status=1), ["always", "page"])
        self.assertEqual(self.ran("--all", status=1), ["page"])
        (self.tree / "fails").unlink()
        self.assertEqual(self.ran("--all"), ["always", "page"])
        self.assertEqual(self.ran("--all"), [])
        self.assertIn("had passed before at this state of their inputs: 10 tests\n0 passed, 0 failed", self.run_tests("--all").stdout)
        self.write("rtl/lfsr.sv", "module lfsr;\n")
        self.assertEqual(self.ran("--all"), ["always", "bench/lfsr", "core/small2", "core/tea4"])
        self.write("rtl/lfsr.sv", "")
        self.assertEqual(self.ran("--all"), [], "as it was")
        self.assertEqual(self.ran("--all", "--again"), sorted([*EVERYTHING, "page"]))

    def test_a_tree_that_changes_meanwhile(self):
        """A pass is no pass of a state that was written while the test ran."""
        self.write(
            "tests/suite.toml", SUITE.replace('command = "true"\ninputs = ["rtl/rivals/"]', 'command = "touch rtl/rivals/r.sv"\ninputs = ["rtl/rivals/"]')
        )
        self.assertIn("rivals", self.ran("--all", "--jobs", "1"))
        self.assertIn("rivals", self.ran("--all", "--jobs", "1"))

    def test_record(self):
        """By commit, of a tree that is that commit; with what ran now and what had passed before."""
        book = self.tree / "tests/rest.tsv"
        book.write_text("commit\tdate\tpassed\tfailed\tbefore\tminutes\n")
        self.commit()
        self.ran()
        done = self.run_tests("--all", "--record").stdout
        self.assertRegex(done, r"put on record: [0-9a-f]{8}, \d+ ran now, \d+ had passed before at this state of their inputs\n")
        row = book.read_text().splitlines()[-1].split("\t")
        self.assertEqual(row[2:], [str(len(EVERYTHING) + 1), "0", str(len(EVERYTHING)), "0"])
        self.assertRegex(row[0], "^[0-9a-f]{8}$")
        self.write("docs/page.md", "new")
        before = book.read_text()
        self.assertIn(f"not put on record: the tree differs from {row[0]}: docs/page.md", self.run_tests("--all", "--record").stdout)
        self.assertEqual(book.read_text(), before)
        self.assertIn(f"1 test of 1 group (last on record: {row[2]} passed, 0 failed at {row[0]}", self.run_tests().stdout)


if __name__ == "__main__":
    unittest.main()
