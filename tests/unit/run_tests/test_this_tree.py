#!/usr/bin/env python3
"""tests/suite.toml of this tree: each of its files calls for a test, and what changes call for, by example."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from suite import changed, groups, inputs  # noqa: E402


class ThisTree(unittest.TestCase):
    """The suite of this tree."""

    @classmethod
    def setUpClass(cls):
        cls.suite = groups.load(ROOT / "tests/suite.toml")
        names = {test.name for test in groups.wanted(cls.suite["group"])}
        tests = groups.tests_of(cls.suite["group"])
        cls.short, cls.rest = [test for test in tests if test.name in names], [test for test in tests if test.name not in names]
        cls.files = inputs.tree()
        cls.known = inputs.Inputs(cls.suite, cls.files)

    def select(self, *files):
        return changed.select(self.short, self.rest, set(files), self.known)

    def of(self, name):
        return {test.group for test in self.select(name)[0]}

    def test_groups_say_what_they_read(self):
        self.assertEqual([group["name"] for group in self.suite["group"] if not group.get("inputs")], [])

    def test_no_package_of_its_own(self):
        """What needs packages that make test does not install is make test-all's."""
        self.assertEqual([test.name for test in self.short if any(need.startswith("deps-") for need in test.needs)], [])

    def test_sets_name_something(self):
        """A file that is moved leaves no name behind, in a set or in a group."""
        patterns = {pattern.lstrip("!") for patterns in self.suite["inputs"].values() for pattern in patterns}
        patterns |= {pattern for group in self.suite["group"] for pattern in group["inputs"]}
        plain = sorted(pattern for pattern in patterns if not pattern.startswith(("@", "includes:", "list:")) and "{" not in pattern and pattern != "always")
        self.assertEqual([pattern for pattern in plain if not self.known.of_pattern(pattern)], [])

    def test_every_file(self):
        """Touched, each file of the tree calls for a test that reads it, or for everything."""
        everything = len(self.short)
        for path in sorted(self.files):
            tests, unknown = self.select(path)
            if unknown:
                self.assertEqual((unknown, len(tests)), ([path], everything), path)
            else:
                self.assertTrue(any(path in self.known.of(test)[0] for test in tests), path)

    def test_benches_read_their_folder(self):
        """Each of them, with each configuration: its own files, the module, what C it includes."""
        benches = [test for test in self.short if test.group == "rtl/{test}"]
        self.assertGreater(len(benches), 90)
        for test in benches:
            files = self.known.of(test)[0]
            folder = "tests/unit/rtl/" + test.name.removeprefix("rtl/").split(".")[0]
            self.assertIn(f"{folder}/sources.f", files, test.name)
            self.assertTrue([path for path in files if path.startswith(f"{folder}/") and path.endswith(".cpp")], test.name)
        for name, read in (("rtl/ctr.full2", "csrc/workers/ctr_model.c"), ("rtl/profile_top", "tests/profile/vectors/vectors.h")):
            files = frozenset().union(*(self.known.of(test)[0] for test in benches if test.name.startswith(name)))
            self.assertIn(read, files, name)

    def test_what_the_rooms_call_for(self):
        """By example: a report is read by no group that only runs a core, the ISS by all that run one, and so on."""
        report, iss, rtl = self.of("csrc/report/csv.c"), self.of("csrc/iss/fp_misc.c"), self.of("rtl/core.sv")
        core = {
            "isa-rtl/{config}/{stem}",
            "random-reach/few/{kind}",
            "workload/{config}/{stem}",
            "core/axi2/{part}",
            "unseen/{stem}",
            "counting/{config}/{stem}",
        }
        self.assertEqual(report & (core | {"isa/{stem}", "iss-qemu/random", "rtl/{test}"}), set())
        self.assertLessEqual({"exports/{stem}", "units/{config}", "cli/{stem}"}, report)
        self.assertLessEqual(core | {"isa/{stem}", "iss-qemu/random"}, iss)
        self.assertLessEqual(core, rtl)
        self.assertEqual(rtl & {"isa/{stem}", "iss-qemu/random", "unit-san/{test}/{stem}"}, set())
        self.assertEqual({test.name for test in self.select("csrc/report/csv.c")[0] if test.name.startswith("unit-san/base/")}, set())
        self.assertTrue(
            {test.name for test in self.select("csrc/base/elf.c")[0]} >= {"unit-san/base/test_elf", "unit-san/report/test_csv"} - {"unit-san/report/test_csv"}
        )
        self.assertEqual(self.of("docs/method/verification.md") - {group["name"] for group in self.suite["group"] if "always" in group["inputs"]}, set())


if __name__ == "__main__":
    unittest.main()
