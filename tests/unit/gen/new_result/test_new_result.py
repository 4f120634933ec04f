#!/usr/bin/env python3
"""A worker with a result costs two files: itself, and its row in a copy of tables/results.tsv. Made from the copy, workers, sample files, --stats and
Python have the result, without a line of C changed."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
HERE = pathlib.Path(__file__).resolve().parent
ROW = "first_commit\t9999\ttable\t1:instruction:place\t2:times:u64:commits:sum\tgroups:first_commits:rows\t3\t-\thow often each instruction committed as the oldest\n"
SHAPED = "first_share\t9998\tscalar\t-\t1:oldest.share:f64:share:none 2:places:u64+:places:none\tmembers:checks.firsts\t4\t-\thow many of the commits were the first place's\n"
# Python, with the names that were made; all that --stats has is readable.
READ = """import json, tipoff.samples as s; f = s.Samples(%r); print(f.results["first_commit"][1]["times"])
print(json.dumps(s.of_results(f.header, f.results, s.STATES)["checks"]))"""
# What is compiled with the table: the others have neither the number of results nor a struct of theirs.
WITH_TABLE = ("csrc/profile/result_store.c", "csrc/profile/result_statistics.c", "csrc/workers/workers_found.c")
LIBRARIES = "workers samples cosim memory_order oracle profilers callstack trace iss machine guest analysis profile isa base".split()


def run(*command):
    done = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))[:200]}: status {done.returncode}\n{done.stderr[-3000:]}")
    return done.stdout


class NewResult(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.room = pathlib.Path(self.folder.name)
        shutil.copytree(ROOT / "tables", self.room / "tables")
        with open(self.room / "tables/results.tsv", "a", encoding="utf-8") as table:
            table.write(ROW + SHAPED)
        run(sys.executable, "scripts/gen.py", "--tables", self.room / "tables", "common", self.room / "gen")

    def tearDown(self):
        self.folder.cleanup()

    def test_two_files(self):
        sources = [HERE / "worker.c", HERE / "main.c", *WITH_TABLE, *sorted((ROOT / "csrc/samples").glob("*.c"))]
        flags = ["-std=gnu17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O0", "-I.", "-Icsrc", f"-I{self.room}/gen"]
        archives = [f"build/lib/lib{library}.a" for library in LIBRARIES]
        libraries = "-lelf -ldw -liberty -lzstd -lz -lsqlite3 -lcjson -lfdt -lm -ldl -lpthread".split()
        run("clang", *flags, "-o", self.room / "new", *sources, "-Wl,--start-group", *archives, "-Wl,--end-group", *libraries)
        said = run(self.room / "new", self.room / "new.tips").splitlines()
        self.assertEqual(
            said[0], '{"first_commits":[{"mode":3,"space":0,"rows":["80000000 2","80000004 1"]}],"checks":{"firsts":{"oldest":{"share":0.75},"places":2}}}'
        )
        self.assertEqual(said[1:], ["80000000 2", "80000004 1"])
        # As a later version's, by the command as it is: it says what it does not know, and reads the rest.
        listed = json.loads(run(ROOT / "build/bin/tipoff", "results", "--format", "json", self.room / "new.tips"))
        unknown = [row for row in listed if row["type"] is None]
        self.assertEqual([(row["result"], row["id"], row["rows"]) for row in unknown], [("unknown result 9999", 9999, 2), ("unknown result 9998", 9998, 1)])
        self.assertIn("unknown result 9999", run(ROOT / "build/bin/tipoff", "results", self.room / "new.tips"))
        shutil.copytree(ROOT / "python/tipoff", self.room / "tipoff")
        shutil.copy(self.room / "gen/result_names.py", self.room / "tipoff/result_names.py")
        path = f"import sys; sys.path[:0] = [{str(self.room)!r}]; sys.path.append('/usr/lib/python3/dist-packages')\n"
        read = run(sys.executable, "-c", path + READ % str(self.room / "new.tips")).splitlines()
        self.assertEqual(read, ["1", '{"firsts": {"oldest": {"share": 0.75}, "places": 2}}'])
        self.assertIn("## first_commit\n\nHow often each instruction committed as the oldest.", (self.room / "gen/results.md").read_text())


if __name__ == "__main__":
    unittest.main()
