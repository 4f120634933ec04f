#!/usr/bin/env python3
"""scripts/gen.py: it refuses bad tables and configurations, and what it writes says what the tables say."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import gen  # noqa: E402
from generate import result_rows  # noqa: E402
from generate.reading import read_table  # noqa: E402

RELEASED = pathlib.Path(__file__).resolve().parent / "schema-v3.tsv"


def forked(words):
    """gen.py with these words, in a process of its own that has read the scripts already: their start would take longer than what is tried."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            status = 120
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.argv = words
                status = gen.main()
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else 1
            except BaseException:  # as Python itself ends
                traceback.print_exc(file=sys.__stderr__)
                status = 1
            finally:
                sys.__stdout__.flush()
                sys.__stderr__.flush()
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(words, status, out.read(), err.read())


class Gen(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.tables = pathlib.Path(self.folder.name) / "tables"
        shutil.copytree(ROOT / "tables", self.tables)
        self.out = pathlib.Path(self.folder.name) / "out"

    def tearDown(self):
        self.folder.cleanup()

    def gen(self, *words):
        return forked(["gen.py", "--tables", str(self.tables), *map(str, words)])

    def edit(self, name, pattern, replacement):
        path = self.tables / name
        text, count = re.subn(pattern, replacement, path.read_text(), count=1, flags=re.M)
        self.assertEqual(count, 1, f"{pattern} not found in {name}")
        path.write_text(text)

    def refuse(self, expected, *words):
        done = self.gen(*(words or ("common", self.out)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, "one line, please: " + done.stderr)
        self.assertIn(expected, done.stderr)
        self.assertFalse(self.out.exists(), "nothing may be written after bad input")

    def test_good_tables(self):
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertEqual(self.gen("config", "small2", self.out).returncode, 0)
        package = (self.out / "config_pkg.sv").read_text()
        self.assertIn("CoreWidth = 2;", package)
        self.assertEqual(json.loads((self.out / "config.json").read_text())["core.rob_entries"], 32)
        header = (self.out / "instructions.h").read_text()
        rows = [l for l in (ROOT / "tables/instructions.tsv").read_text().splitlines() if l and not l.startswith(("#", "name"))]
        self.assertEqual(len(re.findall(r"^    INSN_\w+,$", header, re.M)), len(rows))

    def test_counter_events(self):
        """Rows, and the TEA events from 16 on; the page about counting has exactly this table."""
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertEqual(self.gen("config", "small2", self.out).returncode, 0)
        names = lambda table, column: [l.split("\t")[column] for l in (ROOT / "tables" / table).read_text().splitlines() if l and not l.startswith(("#", "n"))]
        tea, own = names("events.tsv", 0), dict(zip(names("pmu_events.tsv", 1), names("pmu_events.tsv", 0)))
        expected = {name: int(n) for name, n in own.items()} | {name: 16 + i for i, name in enumerate(tea)}
        header = (self.out / "events.h").read_text()
        self.assertEqual({name: int(n) for name, n in re.findall(r"PMU_EVENT_(\w+) = (\d+),", header)}, expected)
        rows = re.findall(r'\{(\d+), "(\w+)", (true|false), (true|false), ".+"\}', header)
        self.assertEqual({name: int(n) for n, name, _, _ in rows}, expected)
        keyed = [
            name
            for table, column in (("events.tsv", 4), ("pmu_events.tsv", 2))
            for name, key in zip(names(table, column == 2), names(table, column))
            if key != "-"
        ]
        self.assertEqual([name for _, name, *only_with in rows if "true" in only_with], keyed)
        package = (self.out / "events_pkg.sv").read_text()
        for name, n in own.items():
            self.assertRegex(package, rf"Pmu{''.join(map(str.capitalize, name.split('_')))} = {n};")
        self.assertRegex(package, r"PmuTea = 16;")
        self.assertRegex(package, r"PmuEvents = 32;\n.* PmuEventBits = 5;")
        self.assertEqual(self.gen("config", "small2c", self.out).returncode, 0)
        self.assertRegex((self.out / "events_pkg.sv").read_text(), r"PmuEvents = 64;\n.* PmuEventBits = 6;")
        page = (ROOT / "docs/reference/pmu.md").read_text()
        self.assertIn("\n" + (self.out / "pmu_events.md").read_text() + "\n", page, "docs/reference/pmu.md: put the table of build/gen/pmu_events.md there")

    def test_page_of_configurations(self):
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        page = (ROOT / "docs/guide/configurations.md").read_text()
        self.assertTrue(
            page.endswith("\n\n" + (self.out / "config_keys.md").read_text()),
            "docs/guide/configurations.md: put the table of build/gen/config_keys.md at its end",
        )

    def test_page_of_results(self):
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertEqual((ROOT / "docs/reference/results.md").read_text(), (self.out / "results.md").read_text(), "copy build/gen/results.md there")
        names = (ROOT / "python/tipoff/result_names.py").read_text()
        self.assertEqual(names, (self.out / "result_names.py").read_text(), "copy build/gen/result_names.py there")
        rows = [line.split("\t")[0] for line in (self.tables / "events.tsv").read_text().splitlines() if line and not line.startswith("#")]
        for bit, event in enumerate(rows[1:]):  # an event is called by its name, not by its bit
            self.assertIn(f'{23 + bit}: ("event_{event.lower()}", "u64", "sum")', names)
            self.assertNotIn(f'"event_{bit}"', names)

    def test_broken_results(self):
        """A row that is no good stops everything, with its line."""
        good = "extra\t999\ttable\t1:at:place\t2:times:u64:executions:sum\t-\t3\t-\thow often something happened\n"
        path = self.tables / "results.tsv"
        rows = path.read_text()
        line = rows.count("\n") + 1
        path.write_text(rows + good)
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertIn("struct extra {", (self.out / "results.h").read_text())
        shutil.rmtree(self.out)
        for old, new, expected in (
            ("\t999\t", "\t2\t", ": id 2 stands on line"),
            ("extra", "jump", "name jump stands on line"),
            ("1:at:place", "1:at:spot", "type spot is none of"),
            ("1:at:place", "1:at:place 1:to:place", "its id is given twice"),
            ("2:times", "2:at", "its name is given twice"),
            ("how often something happened", "...", "no sentence"),
            (":executions:sum", "", "a counter without a unit"),
            (":executions:sum", ":executions", "no merge rule"),
            (":executions:sum", ":executions:mean", "no merge rule"),
            ("table", "graph", "kind graph is none of"),
            ("table\t1:at:place", "vector\t1:at:place", "a vector has one key"),
            ("1:at:place", "-", "a vector and a table have keys"),
            ("u64", "rows:jump:4", "jump is no list"),
            ("u64", "rows:transfer:4", "rows of transfer belong to transfer_stack"),
            ("u64", "rows:extra:4", "rows of its own result"),
            (":executions:sum", ":executions:sum@2", "@2 is before its result"),
            ("u64:executions:sum", "index:at:row:none", "at is no field of rows"),
            ("u64:executions:sum", "below:0:executions:none", "below takes a number"),
            ("\t-\t3\t", "\tgroups:x\t3\t", "stats groups:x is none of"),
            ("\t3\t-\t", "\t1\t-\t", "since is 3 or more"),
            ("extra", "register", "C has another use for register"),
            ("extra", "place", "C has another use for RESULT_PLACE"),
            ("extra", "result_span", "C has another use for result_span"),
            ("extra", "settle", "C has another use for results_settle"),
            ("2:times", "2:long", "long is a keyword of C; choose another name"),
            ("1:at:place", "1:at:place 2:old:retired", "its id is given twice"),
            ("1:at:place", "1:at:place 3:times:retired", "its name is given twice"),
            ("1:at:place", "1:at:place 3:old:retired:u64", "nothing but ID:NAME:retired"),
            ("1:at:place", "1:at:f64", "nor a fraction"),
            ("1:at:place", "1:at:place+", "+ is for u8"),
            ("u64", "u64++", "+ is for u8"),
            ("u64", "text:9", "does not merge"),
            ("u64", "text:257", "256 bytes at most"),
            ("2:times:u64", "2:all[times]:u64:x:sum 3:more:u64:x:sum 4:all[after]:u64", "elements of all stand together"),
            ("2:times:u64", "2:all[times]:u32:x:sum 3:all[after]:u64", "have one type"),
            ("2:times:u64", "2:at[times]:u64", "at is a field, too"),
            ("2:times", "2:int[times]", "int is a keyword of C"),
            ("2:times:u64", "2:all[times]:place", "elements of an array are counters"),
            ("2:times:u64", "2:all[n_0..3]:u64:x:sum 5:times:u64", "its id is given twice"),
            ("sum\t-", "sum\tarrays:extras", "arrays hold whole numbers"),
            ("sum\t-", "sum\tnames:extras", "names are a vector's"),
            ("sum\t-", "sum\tmembers:extras", "members are those of a scalar"),
            ("sum\t-", "sum\tobjects:a.b.c", "a KEY is NAME"),
            ("sum\t-", "sum\tobjects:edges", "writes edges of --stats, too"),
            ("sum\t-", "sum\tobjects:base_stalls", "writes base_stalls of --stats, too"),
            ("sum\t-", "sum\tobjects:edges.more", "writes edges.more of --stats, too"),
            ("2:times:u64:executions:sum\t-", "2:times.all:u64:executions:sum\tobjects:extras", "a dot in the name"),
            ("extra", "count", "C has another use for RESULT_COUNT"),
            ("extra", "add_jump", "C has another use for RESULT_ADD_JUMP"),
            ("extra", "error", "C has another use for error"),
            ("2:times", "\u00b2:times", "write ID:NAME:TYPE"),
            ("2:times", "\u0662:times", "write ID:NAME:TYPE"),
            ("\t3\t-\t", "\t99\t-\t", "since 99: the newest version"),
            ("\t3\t-\t", "\t3\t3\t", "retired 3: a version behind since 3"),
            ("\t3\t-\t", "\t3\t99\t", "retired 99: a version behind since 3"),
            (":executions:sum", ":executions:sum@99", "@99: the newest version"),
            ("u64", "psv", "psv has no sum"),
            ("u64:executions:sum", "place:place:max", "place has no max"),
            (":executions:", ":exec,utions:", "a unit is a word"),
            ("happened", "happened\\\\", "leave out what is unprintable"),
            ("happened", "happ\0ened", "leave out what is unprintable"),
            ("2:times:u64:executions:sum", " ".join(f"{i}:n{i}:u64:executions:sum" for i in range(2, 67)), "66 fields, of at most 64"),
            ("table\t1:at:place\t2:times:u64:executions:sum\t-", "scalar\t-\t1:lengths:u64:stalls:sum\tmembers:base_stalls", "writes base_stalls.lengths of"),
        ):
            self.assertIn(old, good)
            path.write_text(rows + good.replace(old, new, 1))
            self.refuse(f"results.tsv:{line}: ")
            self.refuse(expected)

    def test_columns_of_results(self):
        path = self.tables / "results.tsv"
        path.write_text(path.read_text().replace("name\tid\tkind", "nam\tid\tkind"))
        self.refuse("the columns are name id kind")

    def test_retired_results(self):
        """The id of a result that has retired does not come back, and its struct is gone."""
        path = self.tables / "results.tsv"
        rows = path.read_text()
        extra = "extra\t999\tscalar\t-\t1:times:u64:executions:sum\t-\t3\t4\thow often something happened\n"
        path.write_text(rows + extra)
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertNotIn("struct extra", (self.out / "results.h").read_text())
        shutil.rmtree(self.out)
        path.write_text(rows + extra + extra.replace("extra", "other").replace("\t4\t", "\t-\t"))
        self.refuse(": id 999 stands on line")

    def test_retired_fields(self):
        """Of a field that has retired there is the id alone, and it stays taken."""
        path = self.tables / "results.tsv"
        rows = path.read_text()
        extra = "extra\t999\tscalar\t-\t1:old:retired 2:times:u64:executions:sum\t-\t3\t-\thow often something happened\n"
        path.write_text(rows + extra)
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertRegex((self.out / "results.h").read_text(), r"struct extra \{\n    uint64_t times; // executions\n\}")

    def test_counter_event_behind_the_vector(self):
        self.edit("pmu_events.tsv", r"^10\t", "27\t")
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertIn('{27, "BRANCHES", false, false, "branches ', (self.out / "events.h").read_text())

    def test_event_sets(self):
        """The rivals' event sets are those of the table, for C and for the RTL; no model of the core depends on them."""
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertEqual(self.gen("config", "small2", self.out).returncode, 0)
        rows = [l.split("\t") for l in (ROOT / "tables/events.tsv").read_text().splitlines() if l and not l.startswith(("#", "name"))]
        for name in ("IBS", "SPE", "RIS"):
            mask = sum(1 << i for i, row in enumerate(rows) if name in row[3].split(","))
            self.assertIn(f"#define EVENT_SET_{name} 0x{mask:x}u\n", (self.out / "events.h").read_text())
            alone = sum(row[4] == "-" for row in rows)
            self.assertIn(f"{name.capitalize()}Events = {alone}'h{mask:x};\n", (self.out / "event_sets_pkg.sv").read_text())

    def test_events_of_some_cores(self):
        """Those with a key are bits of cores with that key alone, and stand last; what a sample file's numbers mean does not change with them."""
        digest = lambda: re.search(r'EVENTS_DIGEST "(\w+)"', (self.out / "tables_digest.h").read_text()).group(1)
        for config, bits, value in (("small2", 9, 0), ("small2c", 11, 0x200)):
            self.assertEqual(self.gen("config", config, self.out).returncode, 0)
            package = (self.out / "events_pkg.sv").read_text()
            self.assertIn(f"PsvBits = {bits};\n", package)
            self.assertIn(f"psv_t PsvStCoh = {bits}'h{value:x};", package)
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertIn("#define EVENT_COUNT_ALONE 9 ", (self.out / "events.h").read_text())
        before = digest()
        self.edit("events.tsv", r"^ST_COH\tStalled", "ST_COH\tDrained")
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertEqual(digest(), before)
        shutil.rmtree(self.out)
        self.edit("events.tsv", r"^ST_L1\tStalled\tlsu\tIBS,SPE,RIS\t-", "ST_L1\tStalled\tlsu\tIBS,SPE,RIS\tharts.coherent")
        self.refuse("ST_TLB stands after events of some cores alone: put it before them")
        self.edit("events.tsv", r"\tharts.coherent\tmissed", "\tcore.width\tmissed")
        self.refuse("key core.width is none of -, harts.coherent")

    def test_bad_counter_events(self):
        self.edit("pmu_events.tsv", r"^10\t", "16\t")
        self.refuse("number 16: 1 to 15 are free for rows, and what the TEA events leave of 16 to 31: 27 and more")
        self.edit("pmu_events.tsv", r"^16\t", "24\t")
        self.refuse("number 24: 1 to 15 are free")
        self.edit("pmu_events.tsv", r"^24\t", "41\t")
        self.refuse("number 41: 1 to 15 are free")
        self.edit("pmu_events.tsv", r"^34\tLINES_LOST", "27\tLINES_LOST")
        self.edit("pmu_events.tsv", r"^41\tBRANCHES\t-", "41\tBRANCHES\tharts.coherent")
        self.refuse("number 27: 32 to 63 are for rows with harts.coherent")
        self.edit("pmu_events.tsv", r"^27\tLINES_LOST", "64\tLINES_LOST")
        self.refuse("number 64: 32 to 63 are for rows with harts.coherent")
        self.edit("pmu_events.tsv", r"^64\tLINES_LOST", "63\tLINES_LOST")
        self.edit("pmu_events.tsv", r"^41\tBRANCHES\tharts.coherent", "9\tBRANCHES\t-")
        self.refuse("number 9 stands on line")
        self.edit("pmu_events.tsv", r"^9\tBRANCHES", "10\tFL_MB")
        self.refuse("name FL_MB is a TEA event's")

    def test_sampling_counter_is_there(self):
        self.edit("config/small2.toml", r"^counters = \d+\ncounter = \d+", "counters = 4\ncounter = 7")
        self.refuse("profile.counter = 7: with profile.counters = 4 there are counters 3 to 6", "config", "small2", self.out)

    def test_no_wait_for_vectors_that_are_not_there(self):
        self.edit("config/small2.toml", r"^vectors = 1", "vectors = 0")
        self.refuse("profile.tea = 1: profile.vectors = 1 is needed", "config", "small2", self.out)
        self.edit("config/small2.toml", r"^tea = 1", "tea = 0")
        self.assertEqual(self.gen("config", "small2", self.out).returncode, 0)

    def test_instruction_samples(self):
        """The cores that follow instructions, and what that needs; words and fields of a record."""
        for config, tags in (("full2", 2), ("full4", 2), ("odd3", 4), ("narrow1", 1), ("small2", 0)):
            self.assertEqual(self.gen("config", config, self.out).returncode, 0)
            self.assertIn(f"ProfileTags = {tags};", (self.out / "config_pkg.sv").read_text())
            exists = (self.out / "csrs_pkg.sv").read_text().split("logic csr_exists(", 1)[1].split("default", 1)[0]
            (self.assertIn if tags else self.assertNotIn)("12'h7c3", exists)
        shutil.rmtree(self.out)
        self.edit("config/full2.toml", r"^window = 1\nctr_depth = 32", "window = 0\nctr_depth = 0")
        self.refuse("profile.tags = 2: profile.window = 1 is needed", "config", "full2", self.out)
        self.edit("config/full2.toml", r"^window = 0", "window = 1")
        self.edit("config/full2.toml", r"^vectors = 1\ntea = 1", "vectors = 0\ntea = 0")
        self.refuse("profile.tags = 2: profile.vectors = 1 is needed", "config", "full2", self.out)
        self.edit("instruction_sample.tsv", r"^0\t15\t3\tevents", "0\t16\t3\tevents")
        self.refuse("conflicts: bit 16 of word 0 belongs to events already")

    def test_records_and_their_window(self):
        """Cores that the tests count on have control transfer records; without the keys their CSRs, and those of the window, do not exist."""
        for config, depth in (("full2", 32), ("full4", 32), ("small2", 0), ("odd3", 16), ("wide8", 256), ("tip2", 0)):
            self.assertEqual(self.gen("config", config, self.out).returncode, 0)
            self.assertIn(f"CtrDepth = {depth};", (self.out / "config_pkg.sv").read_text())
        for window, depth in ((1, 32), (1, 0), (0, 0)):
            self.edit("config/small2.toml", r"^window = \d+\nctr_depth = \d+", f"window = {window}\nctr_depth = {depth}")
            self.assertEqual(self.gen("config", "small2", self.out).returncode, 0)
            exists = (self.out / "csrs_pkg.sv").read_text().split("logic csr_exists(", 1)[1].split("default", 1)[0]
            for address in ("12'h150", "12'h151", "12'h157", "12'h350", "12'h357"):
                (self.assertIn if window else self.assertNotIn)(address, exists)
            for address in ("12'h14e", "12'h14f", "12'h15f", "12'h34e"):
                (self.assertIn if depth else self.assertNotIn)(address, exists)
        shutil.rmtree(self.out)
        self.edit("config/small2.toml", r"^window = \d+\nctr_depth = \d+", "window = 0\nctr_depth = 32")
        self.refuse("profile.ctr_depth = 32: profile.window = 1 is needed", "config", "small2", self.out)
        self.edit("config/small2.toml", r"^window = \d+\nctr_depth = \d+", "window = 1\nctr_depth = 8")
        self.refuse("profile.ctr_depth = 8: 0 or a power of two from 16 to 256 is needed", "config", "small2", self.out)

    def test_unchanged_files_are_not_rewritten(self):
        self.gen("common", self.out)
        before = {p: p.stat().st_mtime_ns for p in self.out.iterdir()}
        self.gen("common", self.out)
        self.assertEqual(before, {p: p.stat().st_mtime_ns for p in self.out.iterdir()})

    def test_units_are_lcm(self):
        for width, units in ((1, 1), (2, 2), (3, 6), (4, 12), (8, 840)):
            self.edit("config/small2.toml", r"^width = \d+\nrob_entries = \d+", f"width = {width}\nrob_entries = {width * 8}")
            self.assertEqual(self.gen("config", "small2", self.out).returncode, 0)
            self.assertIn(f"Units = {units};", (self.out / "config_pkg.sv").read_text())

    def test_overlapping_instructions(self):
        self.edit("instructions.tsv", r"^sub\tI\t0xfe00707f\t0x40000033", "sub\tI\t0xfe00707f\t0x00000033")
        self.refuse("sub overlaps add")

    def test_floating_point_key(self):
        """Without core.fp the core has no F and D: rows, CSRs, FS, misa bits; with it, it has."""
        for fp, present in ((0, self.assertNotIn), (1, self.assertIn)):
            self.edit("config/small2.toml", r"^fp = \d", f"fp = {fp}")
            self.assertEqual(self.gen("config", "small2", self.out).returncode, 0)
            self.assertIn(f"Fp = {fp};", (self.out / "config_pkg.sv").read_text())
            self.assertIn(f"#define CONFIG_CORE_FP {fp}\n", (self.out / "config.h").read_text())
            present("op: OP_FADD_D,", (self.out / "instructions_pkg.sv").read_text())
            csrs = (self.out / "csrs_pkg.sv").read_text()
            exists = csrs.split("logic csr_exists(", 1)[1].split("default", 1)[0]
            for address in ("12'h001", "12'h002", "12'h003"):
                present(address, exists)
            mask = int(re.search(r"CsrMstatusMask = 64'h([0-9a-f]+)", csrs)[1], 16)
            misa = int(re.search(r"CsrMisaReset = 64'h([0-9a-f]+)", csrs)[1], 16)
            self.assertEqual((mask >> 13 & 3, misa >> 3 & 5), (3, 5) if fp else (0, 0))

    def test_fcsr_writes_flush(self):
        self.assertEqual(self.gen("config", "small2", self.out).returncode, 0)
        flushes = (self.out / "csrs_pkg.sv").read_text().split("logic csr_flushes(", 1)[1].split("default", 1)[0]
        for address in ("12'h001", "12'h002", "12'h003"):
            self.assertIn(address, flushes)

    def test_fcsr_writes_need_not_flush(self):
        self.edit("config/small2.toml", r"^fcsr_flush = 1", "fcsr_flush = 0")
        self.assertEqual(self.gen("config", "small2", self.out).returncode, 0)
        flushes = (self.out / "csrs_pkg.sv").read_text().split("logic csr_flushes(", 1)[1].split("default", 1)[0]
        for address in ("12'h001", "12'h002", "12'h003"):
            self.assertNotIn(address, flushes)

    def test_few_fp_registers(self):
        self.edit("config/small2.toml", r"^fp_pregs = \d+", "fp_pregs = 33")
        self.refuse("core.fp_pregs = 33: ", "config", "small2", self.out)

    def test_format_and_extension(self):
        self.edit("instructions.tsv", r"^(fadd\.s\tF\t.*)\tFR\t", r"\1\tR\t")
        self.refuse("fadd.s: format R contradicts extension F")

    def test_flush_column(self):
        self.edit("csrs.tsv", r"^(frm\t.*)core\.fcsr_flush", r"\1core.width")
        self.refuse("flush core.width is none of")

    def test_device_tree(self):
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        for name, isa in (("machine", "rv64imafdc_"), ("machine-no-fp", "rv64imac_")):
            blob = subprocess.run(["dtc", "-q", "-I", "dts", "-O", "dtb", self.out / f"{name}.dts"], stdout=subprocess.PIPE, check=True).stdout
            back = subprocess.run(["dtc", "-q", "-I", "dtb", "-O", "dts"], input=blob, stdout=subprocess.PIPE, check=True).stdout.decode()
            self.assertIn(f'riscv,isa = "{isa}', back)
            for fact in (
                "serial@10000000",
                "interrupts = <0x0a>",
                "memory@80000000",
                'mmu-type = "riscv,sv39"',
                "timebase-frequency = <0x1e84800>",
                # cycles, instructions, branches, mispredictions by the SBI's numbers; raw events on other counters and, with bit 8, on the sampling one
                "riscv,event-to-mhpmevent = <0x01 0x00 0x01 0x02 0x00 0x02 0x05 0x00 0x0a 0x06 0x00 0x13 ",
                "riscv,raw-event-to-mhpmcounters = <0x00 0x00 0xffffffff 0xffffff00 0x7ffffff0 0x00 0x100 0xffffffff 0xffffff00 0x08>",
            ):
                self.assertIn(fact, back)
            array = re.search(rf"DEVICE_TREE_{'FP' if name == 'machine' else 'NO_FP'} (.*)", (self.out / "device_tree.h").read_text())[1]
            self.assertEqual(bytes(int(byte, 16) for byte in array.split(", ")), blob)

    def test_duplicate_event(self):
        self.edit("events.tsv", r"^DR_TLB", "DR_L1")
        self.refuse("name DR_L1 stands on line")

    def test_signals(self):
        """Slots: one a signal, eight where it stands for each lane, none used twice; the simulation emits each by its path."""
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        rows = [l.split("\t") for l in (ROOT / "tables/signals.tsv").read_text().splitlines() if l and not l.startswith(("#", "group"))]
        found = re.findall(r'\{"(\w+)", ".*", (\d), (\d+), (true|false), (?:true|false)\}', (self.out / "signals.h").read_text())
        self.assertEqual([name for name, *_ in found], [row[1] for row in rows])
        slots = [slot for _, _, first, lanes in found for slot in range(int(first), int(first) + (8 if lanes == "true" else 1))]
        self.assertEqual(slots, list(range(len(slots))))
        calls = (self.out / "signals.svh").read_text()
        self.assertEqual(calls.count("tipoff_signal("), len(rows))
        self.assertIn("tipoff_signal(0, 64'(u_tile.u_core.fetch_valid));", calls)

    def test_bad_signals(self):
        for pattern, replacement, message in (
            (r"^frontend\tfetch_pc", "frontend\tfetch_valid", "fetch_valid stands in group frontend on line"),
            (r"^frontend\tfetch_pc\tone\t64", "frontend\tfetch_pc\tone\t65", "width 65: 1 to 64"),
            (r"^rename\tpc\tlane", "rename\tpc\tone", "per lane and [i] in the path go together"),
            (r"^memory", "Memory", "group Memory: small letters"),
            (r"\tcore\.fetch_pc", "\tfetch_pc", "begin each path with core., tile., top."),
        ):
            with self.subTest(message):
                before = (self.tables / "signals.tsv").read_text()
                self.edit("signals.tsv", pattern, replacement)
                self.refuse(message)
                (self.tables / "signals.tsv").write_text(before)

    def test_duplicate_csr_address(self):
        self.edit("csrs.tsv", r"^mscratch\t0x340", "mscratch\t0x300")
        self.refuse("address 0x300 belongs to mstatus already")

    def test_asid(self):
        for mask in ("0x80000fffffffffff", "0x80fe0fffffffffff"):
            with self.subTest(mask):
                before = (self.tables / "csrs.tsv").read_text()
                self.edit("csrs.tsv", r"^(satp\t0x180\trw\t0x0\t)0x[0-9a-f]*", r"\g<1>" + mask)
                self.refuse("satp: its mask holds ASID")
                (self.tables / "csrs.tsv").write_text(before)

    def test_csr_fields(self):
        for pattern, replacement, message in (
            (r"^shpmsdata\tstate", "shpmsdatum\tstate", "shpmsdatum is no CSR of csrs.tsv"),
            (r"(\tstate\t)6\t5", r"\g<1>6\t4", "state: bit 4 of shpmsdata belongs to counter already"),
            (r"(\tstate\t)6\t5", r"\g<1>5\t6", "state: bits 5:6; give the highest bit, up to 63, then the lowest"),
            (r"(\tmode\t)24\t23", r"\g<1>64\t23", "mode: bits 64:23; give the highest bit"),
        ):
            with self.subTest(message):
                before = (self.tables / "csr_fields.tsv").read_text()
                self.edit("csr_fields.tsv", pattern, replacement)
                self.refuse(message)
                (self.tables / "csr_fields.tsv").write_text(before)
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertIn("#define SHPMSDATA_OLDEST(value) ((value) >> 15 & 0x7)", (self.out / "csrs.h").read_text())
        self.assertIn("oldest 17:15 (lane of the oldest instruction)", (self.out / "csrs.md").read_text())

    def test_read_only_address(self):
        self.edit("csrs.tsv", r"^mhartid\t0xf14\tro", "mhartid\t0xf14\trw")
        self.refuse("contradicts address 0xf14")

    def test_match_outside_mask(self):
        self.edit("instructions.tsv", r"^lui\tI\t0x0000007f\t0x00000037", "lui\tI\t0x0000007f\t0x00001037")
        self.refuse("lui: match has bits outside mask")

    def test_overlapping_regions(self):
        self.edit("memory_map.tsv", r"^uart1\t0x10001000", "uart1\t0xc001000")
        self.refuse("uart1 overlaps plic")

    def test_region_sizes(self):
        self.edit("memory_map.tsv", r"^plic\t0xc000000\t0x4000000", "plic\t0xc000000\t0x3000000")
        self.refuse("plic: a power of two of bytes, at a multiple of it")

    def test_region_places(self):
        self.edit("memory_map.tsv", r"^plic\t0xc000000", "plic\t0xa000000")
        self.refuse("plic: a power of two of bytes, at a multiple of it")

    def test_cell_count(self):
        self.edit("events.tsv", r"^DR_SQ\tDrained", "DR_SQ")
        self.refuse("5 cells where the header names 6")

    def test_event_set_of_all(self):
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        header = (self.out / "events.h").read_text()
        rows = [l.split("\t") for l in (ROOT / "tables/events.tsv").read_text().splitlines() if l and not l.startswith(("#", "name"))]
        for name in ("IBS", "SPE", "RIS"):
            mask = sum(1 << i for i, row in enumerate(rows) if name in row[3].split(","))
            self.assertIn(f"#define EVENT_SET_{name} 0x{mask:x}u\n", header)
        self.assertIn(f"#define EVENT_SET_ALL 0x{(1 << len(rows)) - 1:x}u\n", header)

    def test_unknown_event_set(self):
        self.edit("events.tsv", r"IBS,SPE,RIS", "IBS,PEBS")
        self.refuse("PEBS is none of IBS, SPE, RIS")

    def test_advice(self):
        for edit, fault in (
            ((r"ST_L1\+ST_TLB\t", "ST_L1+ST_TLD\t"), "ST_TLD is none of DR_L1"),
            ((r"^Stalled\t-\tdiv", "Stalled\t-\tdivider"), "unit divider is none of"),
            ((r"^Stalled\t-\tdiv", "Waiting\t-\tdiv"), "state Waiting is none of"),
            ((r"^Stalled\t-\tdiv", "Stalled\t-\tfp"), "state, events and unit are those of line"),
            ((r"is fetched late, after a TLB miss", 'is fetched "late", after a TLB miss'), "without quotation marks"),
        ):
            with self.subTest(fault):
                before = (self.tables / "advice.tsv").read_text()
                self.edit("advice.tsv", *edit)
                self.refuse(fault)
                (self.tables / "advice.tsv").write_text(before)
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        events = [l.split("\t")[0] for l in (ROOT / "tables/events.tsv").read_text().splitlines() if l and not l.startswith(("#", "name"))]
        rules = [l.split("\t") for l in (ROOT / "tables/advice.tsv").read_text().splitlines() if l and not l.startswith(("#", "state"))]
        header = (self.out / "advice_rules.h").read_text()
        for state, names, unit, text, source in rules:
            mask = sum(1 << events.index(name) for name in names.split("+")) if names != "-" else 0
            unit = "NULL" if unit == "*" else f'"{unit}"'
            self.assertIn(f'{{STATE_{state.upper()}, 0x{mask:x}, "{names.removeprefix("-")}", {unit}, "{text}", "{source}"}}', header)
        self.assertEqual(header.count("{STATE_"), len(rules))

    def test_published(self):
        before = (self.tables / "published.tsv").read_text()
        for edit, fault in (
            ((r"0\.011\tTIP", "1.1 %\tTIP"), "value 1.1 % is no decimal number"),
            ((r"^error\tNCI\+ILP", "error\tNCI"), "statistic are those of line"),
        ):
            with self.subTest(fault):
                self.edit("published.tsv", *edit)
                self.refuse(fault)
                (self.tables / "published.tsv").write_text(before)
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertIn("#define PUBLISHED_BASE_STALL_TEA_INSTRUCTION_PERCENTILE_99 5.8 ", (self.out / "published.h").read_text())

    def test_unknown_key(self):
        self.edit("config/small2.toml", r"^rob_entries", "rob_entires")
        self.refuse("unknown key core.rob_entires", "config", "small2", self.out)

    def test_coherent(self):
        self.edit("config/small2c.toml", r"^mshrs = 4\n", "mshrs = 29\n")
        self.refuse("l1d.mshrs = 29: at most 28 with harts.coherent = 1", "config", "small2c", self.out)
        self.edit("config/small2c.toml", r"^axi = 0\n", "axi = 1\n")
        self.refuse("harts.coherent = 1: bus.axi = 0 is needed", "config", "small2c", self.out)

    def test_missing_key(self):
        self.edit("config/small2.toml", r"^mshrs = 4\n", "")
        self.refuse("missing key l1d.mshrs (legal range 1 to 32)", "config", "small2", self.out)

    def test_out_of_range(self):
        self.edit("config/small2.toml", r"^branches = 8", "branches = 65")
        self.refuse("core.branches = 65: the legal range is 4 to 64", "config", "small2", self.out)

    def test_not_a_power_of_two(self):
        self.edit("config/small2.toml", r"^btb_entries = 128", "btb_entries = 100")
        self.refuse("fetch.btb_entries = 100: a power of two", "config", "small2", self.out)

    def test_not_a_number(self):
        self.edit("config/small2.toml", r"^branches = 8", 'branches = "many"')
        self.refuse("core.branches = 'many': a whole number", "config", "small2", self.out)

    def test_rob_is_a_multiple_of_width(self):
        self.edit("config/small2.toml", r"^rob_entries = 32", "rob_entries = 33")
        self.refuse("a multiple of core.width = 2", "config", "small2", self.out)

    def test_no_such_configuration(self):
        self.refuse(
            "there are: ahead2, axi2, full2, full4, gated2, medium2, narrow1, odd3, rob16, roi2, small2, small2c, small2r, tea4, tea4c",
            "config",
            "mega9",
            self.out,
        )

    def test_not_utf8(self):
        for name, words in ("events.tsv", ("common",)), ("config/small2.toml", ("config", "small2")):
            path = self.tables / name
            text = path.read_bytes()
            path.write_bytes(text + b"# \xff\n")
            self.refuse(f"{name}: byte {len(text) + 2} is not UTF-8", *words, self.out)
            path.write_bytes(text)

    def digests(self):
        self.assertEqual(self.gen("common", self.out).returncode, 0)
        self.assertEqual(self.gen("config", "small2", self.out).returncode, 0)
        header = (self.out / "tables_digest.h").read_text()
        config = json.loads((self.out / "config.json").read_text())
        self.assertIn(f'#define TABLES_DIGEST "{config["digest.tables"]}"', header)
        self.assertIn(f'#define MODEL_DIGEST "{config["digest.model"]}"', (self.out / "model_digest.h").read_text())
        return config["digest.tables"], re.search(r'EVENTS_DIGEST "(\w+)"', header)[1], config["digest.model"]

    def test_digests(self):
        """What a change changes: the digest of all tables, that of the events (sample files), that of the model."""
        last = self.digests()
        changes = [
            ("events.tsv", r"fetch missed the L1 instruction cache", "text for people", (0, 0, 0)),
            ("config/small2.toml", r"^latency = 20", "latency = 21", (0, 0, 0)),
            ("config/small2.toml", r"^branches = 8", "branches = 9", (0, 0, 1)),
            ("pmu_events.tsv", r"^7\tEXCEPTIONS", r"7\tTRAPS", (1, 0, 1)),
            ("csrs.tsv", r"^mscratch\t0x340", "mscratch\t0x34f", (1, 0, 1)),
            ("csr_fields.tsv", r"(mode\t)24\t23", r"\g<1>24\t24", (1, 0, 0)),
            ("config_keys.tsv", r"^(llc.latency\t1)\t1000", r"\1\t2000", (1, 0, 0)),
            ("events.tsv", r"^(DR_L1\t.*\n)(DR_TLB\t.*\n)", r"\2\1", (1, 1, 1)),
        ]
        for name, pattern, replacement, changed in changes:
            self.edit(name, pattern, replacement)
            new = self.digests()
            self.assertEqual(tuple(int(a != b) for a, b in zip(last, new)), changed, f"{name}: {pattern}")
            last = new

    def test_no_tables(self):
        shutil.rmtree(self.tables)
        self.refuse("give the folder that holds the tables")


def reaches(new, old):
    """Whether the type holds all that the other one does. A + refuses only a 0 that no version has written."""
    numbers = ["u8", "u16", "u32", "u64"]
    new, old = new.removesuffix("+"), old.removesuffix("+")
    if old in numbers and new in numbers:
        return numbers.index(new) >= numbers.index(old)
    (*new, most), (*old, least) = new.split(":"), old.split(":")
    return new == old and (most == least or (most.isdigit() and least.isdigit() and int(most) >= int(least)))


def broken(released, path):
    """What rows of the table no longer say as the released version did: an id has one name forever, retired or not, and its values still fit."""
    found, rows = [], {row["id"]: row for row in result_rows.check(path, ["DR_L1"])}
    for old in released:
        row = rows.get(old["result"])
        if not row or row["name"] != old["name"] or row["kind"] != old["kind"]:
            found.append(f"result {old['result']} is no longer {old['kind']} {old['name']}")
            continue
        if row["retired"] != "-":
            continue
        fields = {str(field.id): field for field in row["fields"]}
        gone = dict(re.findall(r"(\d+):(\w+):retired", f"{row['keys']} {row['counters']}"))
        field = fields.get(old["field"])
        if gone.get(old["field"]) == old["member"]:
            continue
        if not field or field.name != old["member"]:
            found.append(f"result {old['name']}: field {old['field']} is no longer {old['member']}")
        elif not reaches(field.whole_type(), old["type"]):
            found.append(f"result {old['name']}: field {old['member']} was {old['type']}, and is {field.whole_type()}")
    return found


class Released(unittest.TestCase):
    """Files of a released version are read forever: what their ids mean does not change."""

    def test_kept(self):
        self.assertEqual(
            [], broken(read_table(RELEASED), ROOT / "tables/results.tsv"), "a released id, name or type has changed: add a field, retire the old one"
        )

    def test_changes_are_found(self):
        released = read_table(RELEASED)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.tsv"
            for old, new, expected in (
                ("jump\t2\t", "jump\t999\t", ["result 2 is no longer table jump"] * 3),
                ("jump\t2\t", "leap\t2\t", ["result 2 is no longer table jump"] * 3),
                ("3:executions:u64+", "9:executions:u64+", ["result jump: field 3 is no longer executions"]),
                ("3:executions:u64+", "3:times:u64+", ["result jump: field 3 is no longer executions"]),
                ("3:executions:u64+", "3:executions:u32+", ["result jump: field executions was u64, and is u32+"]),
                ("snippet_row:48", "snippet_row:47", ["result snippet: field rows was rows:snippet_row:48, and is rows:snippet_row:47"]),
                ("below:2", "below:3", []),
                ("longest:u16+", "longest:u32", []),
                ("3:executions:u64+:executions:sum", "3:executions:retired 4:more:u64:executions:sum", []),
                ("3:executions:u64+:executions:sum", "3:other:retired 4:more:u64:executions:sum", ["result jump: field 3 is no longer executions"]),
            ):
                text = (ROOT / "tables/results.tsv").read_text()
                self.assertIn(old, text)
                path.write_text(text.replace(old, new, 1))
                self.assertEqual(expected, broken(released, path), f"{old} -> {new}")


if __name__ == "__main__":
    unittest.main()
