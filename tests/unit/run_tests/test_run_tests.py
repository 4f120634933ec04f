#!/usr/bin/env python3
"""scripts/run_tests.py: what fails when nothing is found, what a test that hangs leaves behind, its listing in a pipe, its JUnit XML, its end by a signal, and what is left out for time."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from xml.dom import minidom

ROOT = pathlib.Path(__file__).resolve().parents[3]
RUNNER = ROOT / "scripts/run_tests.py"
SCHEMA = pathlib.Path(__file__).with_name("junit.xsd")
TIMES = ROOT / "build/tests/times.json"


class RunTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.suite = pathlib.Path(self.folder.name) / "suite.toml"
        self.times = TIMES.read_bytes() if TIMES.exists() else None

    def tearDown(self):
        if self.times is not None:
            TIMES.write_bytes(self.times)
        self.folder.cleanup()

    def run_suite(self, text, *arguments):
        self.suite.write_text(text)
        return subprocess.run(
            [sys.executable, RUNNER, "--suite", self.suite, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )

    def test_pass_and_fail(self):
        done = self.run_suite('[[group]]\nname = "self/good"\ncommand = "true"\n[[group]]\nname = "self/bad"\ncommand = "echo what; exit 3"\n')
        self.assertEqual(done.returncode, 1)
        self.assertIn("PASS  self/good", done.stdout)
        self.assertIn("what\n  status 3; rerun: echo what; exit 3", done.stdout)
        self.assertIn("1 passed, 1 failed\n  failed: self/bad", done.stdout)
        self.assertIn("self/good", json.loads(TIMES.read_text()))
        self.assertEqual(self.run_suite('[[group]]\nname = "self/good"\ncommand = "true"\n').returncode, 0)

    def test_empty_group(self):
        """No test, or none of that name: never a success; with the command that builds it where the group could have it."""
        suite = '[[group]]\nname = "self/{test}"\nglob = "build/nosuch/*/run"\ncommand = "{path}"\n[[group]]\nname = "other"\ncommand = "true"\n'
        done = self.run_suite(suite)
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAIL  self/{test} (empty)", done.stdout)
        done = self.run_suite(suite, "--only", "self/this")
        self.assertEqual(done.returncode, 1)
        self.assertIn("make test ONLY=self/this", done.stdout)
        self.assertNotIn("other", done.stdout)
        done = self.run_suite(suite, "--only", "nothing-like-it")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no test has 'nothing-like-it' in its name\n", done.stderr)

    def test_empty_groups_of_one_name(self):
        """Before anything is built, two groups that take their names from files have none: the suite is listed all the same."""
        suite = "".join(f'[[group]]\nname = "self/{{stem}}"\nglob = "build/nosuch/{kind}/*.elf"\ncommand = "true {{path}}"\n' for kind in ("a", "b"))
        done = self.run_suite(suite, "--list")
        self.assertEqual((done.returncode, done.stdout.count("self/{stem} (empty)")), (0, 2), done.stderr)

    def test_empty_group_of_none_of_make_test(self):
        """What make test runs none of it does not build either, and is not empty without."""
        suite = '[[group]]\nname = "self/{stem}"\nshort = []\nglob = "build/nosuch/*.elf"\ncommand = "true {path}"\nneeds = ["need-them"]\n'
        suite += '[[group]]\nname = "other"\ncommand = "true"\n'
        self.assertEqual(self.run_suite(suite).returncode, 0)
        self.assertNotIn("need-them", self.run_suite(suite, "--needs").stdout)
        self.assertIn("need-them", self.run_suite(suite, "--all", "--needs").stdout)
        self.assertIn("need-them", self.run_suite(suite, "--only", "self/this", "--needs").stdout)
        done = self.run_suite(suite, "--all")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAIL  self/{stem} (empty)", done.stdout)

    def test_optional_group(self):
        """Where it is not built it is left out, and reported; built, it fails as any other; alone it is no success."""
        suite = (
            '[[group]]\nname = "self/other"\ncommand = "true"\n[[group]]\nname = "self/opt"\nglob = "GLOB"\noptional = "make it"\ncommand = "false {path}"\n'
        )
        done = self.run_suite(suite.replace("GLOB", "build/nosuch/*/run"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("left out, not built: self/opt (make it)\n1 passed, 0 failed", done.stdout)
        done = self.run_suite(suite.replace("GLOB", "scripts/gen.py"))
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("left out", done.stdout)
        self.assertIn("1 passed, 1 failed\n  failed: self/opt", done.stdout)
        self.assertEqual(self.run_suite(suite.replace("GLOB", "build/nosuch/*/run"), "--only", "self/opt").returncode, 2)

    def test_short_group(self):
        """Without a name, what is short; --all the others, too; by name, both. The end says what is left."""
        suite = (
            '[[group]]\nname = "self/{part}"\nshort = ["*/a", "self/b*"]\nfor.part = ["a", "b1", "c", "d"]\ncommand = "test {part} != d"\n'
            '[[group]]\nname = "self/none"\nshort = []\ncommand = "true"\n[[group]]\nname = "self/all"\ncommand = "true"\n'
        )
        done = self.run_suite(suite)
        self.assertEqual(sorted(line.split()[1] for line in done.stdout.splitlines() if line.startswith("PASS")), ["self/a", "self/all", "self/b1"])
        self.assertIn("left to make test-all, for time: 3 tests of 2 groups (never on record)\n3 passed, 0 failed", done.stdout)
        done = self.run_suite(suite, "--all")
        self.assertEqual(done.returncode, 1)
        self.assertIn("5 passed, 1 failed\n  failed: self/d", done.stdout)
        self.assertNotIn("left to make test-all", done.stdout)
        self.assertIn("5 passed, 1 failed", self.run_suite(suite, "--only", "self/").stdout)
        listed = {line.split("\t")[0] for line in self.run_suite(suite, "--list").stdout.splitlines() if "make test-all" in line}
        self.assertEqual(listed, {"self/c", "self/d", "self/none"})

    def test_short_group_by_what_leaves(self):
        """A pattern with a ! takes from the others, and from all where there are none; one that no test matches is reported."""
        for short, run in (('["!*/c"]', ["self/a", "self/b1"]), ('["*/b*", "*/c", "!*/c"]', ["self/b1"])):
            suite = f'[[group]]\nname = "self/{{part}}"\nshort = {short}\nfor.part = ["a", "b1", "c"]\ncommand = "true"\n'
            self.assertEqual(sorted(line.split()[1] for line in self.run_suite(suite).stdout.splitlines() if line.startswith("PASS")), run)
            self.assertIn("3 passed, 0 failed", self.run_suite(suite, "--all").stdout)
        self.assertIn("tests that do not exist: self/{part}: !*/d", self.run_suite(suite.replace("!*/c", "!*/d")).stderr)

    def test_record_in_words(self):
        """The last row of the record, by its head."""
        book = pathlib.Path(self.folder.name) / "rest.tsv"
        book.write_text("# words\ncommit\tdate\tpassed\tfailed\tbefore\tminutes\n12345678\t2026-01-02\t30\t1\t7\t9\n")
        done = self.run_suite('[[group]]\nname = "self/one"\ncommand = "true"\n[[group]]\nname = "self/two"\nshort = []\ncommand = "true"\n')
        self.assertIn("1 test of 1 group (last on record: 30 passed, 1 failed at 12345678, 2026-01-02)", done.stdout)

    def test_short_group_of_a_name_that_is_gone(self):
        """A pattern that no test matches would shrink the suite in silence."""
        done = self.run_suite('[[group]]\nname = "self/{part}"\nshort = ["*/a", "*/old"]\nfor.part = ["a", "new"]\ncommand = "true"\n')
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("`short` names tests that do not exist: self/{part}: */old", done.stderr)
        for words in (["--all", "--only", "a"], ["--record"], ["--again"], ["--files"], ["--all", "--changed", "HEAD"]):
            done = self.run_suite('[[group]]\nname = "self/one"\ncommand = "true"\n', *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_a_key_that_nobody_reads(self):
        done = self.run_suite('[[group]]\nname = "self/one"\ncommand = "true"\nshrot = []\n')
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("group self/one: there is no key shrot: ", done.stderr)
        self.assertIn("has no command", self.run_suite('[[group]]\nname = "self/one"\n').stderr)
        self.assertEqual(self.run_suite("[[group]\n").returncode, 2)

    def test_close_names(self):
        """A name that no test has: those that may have been meant."""
        suite = '[[group]]\nname = "self/{part}"\nfor.part = ["sample_select", "sample_reload", "lsu"]\ncommand = "true"\n'
        done = self.run_suite(suite, "--only", "self/sample_selct")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no test has 'self/sample_selct' in its name: did you mean self/sample_select, self/sample_reload", done.stderr)
        self.assertNotIn("did you mean", self.run_suite(suite, "--only", "qqqq").stderr)

    def test_batches_and_variants(self):
        """Several files a test; and one file that stands for several tests."""
        done = self.run_suite('[[group]]\nname = "self/{stem}"\nglob = "scripts/suite/[gip]*s.py"\nbatch = 2\ncommand = "ls {path}"\n', "--list")
        self.assertEqual(
            done.stdout.split("\t# ")[0].splitlines()[0].split("\t")[:2], ["self/groups-inputs", "ls scripts/suite/groups.py scripts/suite/inputs.py"]
        )
        variants = 'glob = "tests/unit/rtl/rob/sources.f"\nvariants = "tests/unit/rtl/profile_top/config"\n'
        names = [
            line.split("\t")[0] for line in self.run_suite(f'[[group]]\nname = "self/{{test}}"\n{variants}command = "true"\n', "--list").stdout.splitlines()
        ]
        words = (ROOT / "tests/unit/rtl/profile_top/config").read_text().split()[1:]
        self.assertTrue(words)
        self.assertEqual(names, ["self/rob", *(f"self/rob.{word}" for word in words)])

    @staticmethod
    def child(path):
        """A command that starts another one, which leaves its number there, and never ends."""
        return f"sh -c 'echo $$ > {path}; exec sleep 3600' & while [ ! -s {path} ]; do sleep 0.1; done; sleep 3600"

    def assert_gone(self, path):
        """The process of that number ends; how long the system takes for it does not count."""
        number = int(path.read_text())
        for _ in range(600):
            state = pathlib.Path(f"/proc/{number}/stat")
            try:
                if state.read_text().rpartition(")")[2].split()[0] == "Z":
                    return
            except OSError:
                return
            time.sleep(0.1)
        self.fail(f"process {number}, a child of the test, has lived on")

    def goals(self, only):
        done = subprocess.run([RUNNER, "--suite", self.suite, "--needs", "--only", only], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), only)
        return [sorted(line.split()) for line in done.stdout.split("\n")[:2]]

    def every(self, only):
        return sum(self.goals(only), [])

    def test_needs(self):
        """What a group says and what its command names; else what a script that runs the command needs; of a group without tests yet, what its axes need."""
        self.suite.write_text(
            '[[group]]\nname = "page"\ncommand = "true"\nneeds = []\n[[group]]\nname = "page/command"\ncommand = "true"\nneeds = ["build/b", "build/a"]\n'
            '[[group]]\nname = "run/{config}/{stem}"\nglob = "build/none/*.elf"\nshort = ["run/tea4/*"]\nfor.config = ["tea4", "wide8"]\ncommand = "run {path}"\n'
            'needs = ["build/{config}/model.so", "need-isa"]\n'
            '[[group]]\nname = "rtl/{test}"\nglob = "tests/unit/rtl/*/sources.f"\ncommand = "build/tests/unit/rtl/{test}/run"\n'
            '[[group]]\nname = "driver/{config}"\nfor.config = ["odd3"]\ncommand = "tests/x/y.py {config}"\n'
            '[[group]]\nname = "files"\ncommand = "ls build/x-{{1..2}}.elf build/{{a,b}}.elf build/o.tips build/bin/tipoff-san"\n'
        )
        sanitized = ["build/bin/tipoff-san", "build/kept/tipoff-san"]  # with a command what its kept runs are known by
        self.assertEqual(self.goals("page"), [["build/a", "build/b"], []])
        self.assertEqual(
            self.goals(""),
            [sorted({*sum(map(self.every, ("page", "run/tea4", "rtl/", "driver", "files")), [])} - set(sanitized)), sanitized],
        )
        self.assertEqual(self.goals("run/wide8/new"), [["build/wide8/model.so", "need-isa"], []])
        self.assertEqual(self.goals("run/tea4/add"), [["build/tea4/model.so", "need-isa"], []])
        self.assertEqual(self.goals("driver"), [["build/bin/tipoff", "build/kept/tipoff", "build/odd3/model.so", "need-small"], []])
        self.assertEqual(self.goals("files"), [["build/a.elf", "build/b.elf", "build/x-1.elf", "build/x-2.elf"], sanitized])
        self.assertEqual(self.goals("absent"), [[], []])

    def test_one_bench_needs_itself(self):
        """Whether another one is built or not."""
        self.suite.write_text((ROOT / "tests/suite.toml").read_text())
        self.assertEqual(self.goals("rtl/sample_select"), [["build/tests/unit/rtl/sample_select/run"], []])
        self.assertEqual(self.goals("unit/base/test_crc32c"), [["build/tests/unit/base/test_crc32c"], []])

    def make(self, *words):
        environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES")}
        done = subprocess.run(["make", "-n", *words], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    def test_targets(self):
        """A target that does not exist: those that may have been meant."""
        status, said = self.make("tset")
        self.assertEqual(status, 2)
        self.assertRegex(said, r"tset: there is no such target, did you mean test\b.*\?: `make help` lists them")
        self.assertRegex(self.make("qqqq")[1], r"qqqq: there is no such target: `make help` lists them")
        self.assertEqual(self.make("clean")[0], 0)
        status, said = self.make("test", "ONLY=a", "CHANGED=HEAD")
        self.assertEqual(status, 2)
        self.assertIn("choose by name or by change", said)

    def test_hang(self):
        """A test that hangs is ended with all that it has started."""
        child = pathlib.Path(self.folder.name) / "child"
        done = self.run_suite(f'[[group]]\nname = "self/hang"\ntimeout = 3\ncommand = "{self.child(child)}"\n')
        self.assertEqual(done.returncode, 1)
        self.assertIn("killed after 3 s", done.stdout)
        self.assert_gone(child)

    def test_list_in_a_pipe(self):
        self.suite.write_text("".join(f'[[group]]\nname = "self/{n}"\ncommand = "true # {n * 100}"\n' for n in range(5000)))
        process = subprocess.Popen([sys.executable, RUNNER, "--suite", self.suite, "--list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"self/0\ttrue # 0\n")
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(), 0)

    def test_two_of_one_name(self):
        done = self.run_suite('[[group]]\nname = "self/one"\ncommand = "true"\n' * 2)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("two tests are called self/one", done.stderr)

    def read_junit(self, path):
        """(group, name, what it has instead of success, its message and its text) of each test; the file is valid, and its sums fit."""
        checked = subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, path], capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        root = minidom.parse(str(path)).documentElement
        cases = []
        for suite in root.getElementsByTagName("testsuite"):
            own = suite.getElementsByTagName("testcase")
            self.assertEqual(int(suite.getAttribute("tests")), len(own))
            for kind, attribute in (("failure", "failures"), ("skipped", "skipped"), ("error", "errors")):
                self.assertEqual(int(suite.getAttribute(attribute)), len(suite.getElementsByTagName(kind)), kind)
            for case in own:
                self.assertEqual(case.getAttribute("classname"), suite.getAttribute("name"))
                details = [node for node in case.childNodes if node.nodeType == node.ELEMENT_NODE]
                details_of = [(node.tagName, node.getAttribute("message"), "".join(child.data for child in node.childNodes)) for node in details]
                cases.append((case.getAttribute("classname"), case.getAttribute("name"), *(details_of[0] if details_of else ("", "", ""))))
        self.assertEqual(int(root.getAttribute("tests")), len(cases))
        self.assertEqual(int(root.getAttribute("failures")), sum(kind == "failure" for _, _, kind, _, _ in cases))
        return cases

    def test_junit(self):
        path = pathlib.Path(self.folder.name) / "results.xml"
        path.write_text("of the last run")
        output = r"seq 100; printf '\\033[31mred\\000 <b> & \\377 ]]>\\n'; exit 3"
        suite = f"""[[group]]
name = "good/{{n}}"
for.n = ["a<b", "b"]
command = "true"
[[group]]
name = "self"
command = "{output}"
[[group]]
name = "good/late"
timeout = 1
command = "sleep 60"
[[group]]
name = "opt/{{stem}}"
glob = "build/nosuch/*/run"
optional = "make it"
command = "true"
"""
        done = self.run_suite(suite, "--junit", path)
        self.assertEqual(done.returncode, 1)
        cases = self.read_junit(path)
        # A byte that is no UTF-8 is a replacement character; what XML cannot hold becomes an escape sequence.
        rerun = r"seq 100; printf '\033[31mred\000 <b> & \377 ]]>\n'; exit 3"
        tail = "".join(f"{n}\n" for n in range(62, 101)) + "\\x1b[31mred\\x00 <b> & \ufffd ]]>"
        self.assertEqual(
            cases,
            [
                ("good", "good/a<b", "", "", ""),
                ("good", "good/b", "", "", ""),
                ("good", "good/late", "failure", "status 124; rerun: sleep 60", "\nkilled after 1 s (hang guard)"),
                ("self", "self", "failure", f"status 3; rerun: {rerun}", tail),
                ("opt", "opt/{stem}", "skipped", "not built: make it", ""),
            ],
        )
        self.assertEqual(os.listdir(self.folder.name).count("results.xml"), 1)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["results.xml", "suite.toml"])

    def test_junit_where_none_can_be(self):
        """One line, status 2, before any test runs; an existing file stays."""
        mark = pathlib.Path(self.folder.name) / "ran"
        suite = f'[[group]]\nname = "self/mark"\ncommand = "touch {mark}"\n'
        for path, why in (
            (self.folder.name, "not a regular file"),
            (f"{self.folder.name}/no/such", "No such file"),
            ("/dev/null", "not a regular file"),
            (self.suite, "is the suite itself"),
        ):
            done = self.run_suite(suite, "--junit", path)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(why, done.stderr)
            self.assertFalse(mark.exists())
        self.assertEqual(self.suite.read_text(), suite)

    def start_and_end(self, number):
        """Runs three tests, the second one hangs, then sends the signal; returns status, the rest of the output, the tests of the file."""
        path = pathlib.Path(self.folder.name) / "results.xml"
        started = pathlib.Path(self.folder.name) / "started"
        self.suite.write_text(
            f"""[[group]]
name = "self/first"
command = "true"
[[group]]
name = "self/second"
command = "{self.child(started)}"
[[group]]
name = "self/third"
command = "true"
"""
        )
        with subprocess.Popen([sys.executable, RUNNER, "--suite", self.suite, "--jobs", "1", "--junit", path], stdout=subprocess.PIPE, text=True) as process:
            self.assertIn("PASS  self/first", process.stdout.readline())
            while not (started.exists() and started.read_text()):
                time.sleep(0.01)
            process.send_signal(number)
            rest = process.stdout.read() if number != signal.SIGKILL else ""
            status = process.wait()
        if number == signal.SIGKILL:
            os.killpg(os.getpgid(int(started.read_text())), signal.SIGKILL)  # nobody else can
        self.assert_gone(started)
        return status, rest, self.read_junit(path)

    def test_ended_by_a_signal(self):
        """The tests that have ended are in the file, the others as skipped; nothing lives on."""
        reason = "not run: the suite was ended before"
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(number=number):
                ended, rest, cases = self.start_and_end(number)
                self.assertEqual(ended, status)
                self.assertEqual(
                    cases, [("self", "self/first", "", "", ""), ("self", "self/second", "skipped", reason, ""), ("self", "self/third", "skipped", reason, "")]
                )
                if number != signal.SIGKILL:
                    self.assertEqual(rest, f"1 passed, 0 failed, 2 not run: ended by {number.name}\n")
                (pathlib.Path(self.folder.name) / "started").unlink()


if __name__ == "__main__":
    os.makedirs(TIMES.parent, exist_ok=True)
    unittest.main()
