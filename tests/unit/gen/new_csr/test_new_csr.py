#!/usr/bin/env python3
"""A row added to a copy of tables/csrs.tsv is a CSR: csr_file and the ISS, made from the copy, hold what is written to it behind its mask."""
import pathlib
import subprocess
import sys
import tempfile
import shutil
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
HERE = pathlib.Path(__file__).resolve().parent
ROWS = (
    "tipoff_plain\t0x7d0\trw\t0x500\t0xff00\tno\tplain\ta row and no more\n"
    "tipoff_nobodys\t0x7d1\trw\t0x0\t0xff00\tno\tcsr_file\tof which csr_file does not know\n"
)
PACKAGES = ("config", "events", "csrs", "memory_map", "instructions", "records")


def run(*command):
    done = subprocess.run([*map(str, command)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))[:200]}: status {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


class NewCsr(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.room = pathlib.Path(cls.folder.name)
        shutil.copytree(ROOT / "tables", cls.room / "tables")
        with open(cls.room / "tables/csrs.tsv", "a", encoding="utf-8") as table:
            table.write(ROWS)
        for words in (("common", cls.room / "common"), ("config", "small2", cls.room / "small2")):
            run(sys.executable, "scripts/gen.py", "--tables", cls.room / "tables", *words)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_csr_file(self):
        listed = [line for line in (ROOT / "tests/unit/rtl/csr_file/sources.f").read_text(encoding="utf-8").splitlines() if line.startswith("rtl/")]
        core = [line for line in (ROOT / "rtl/core.f").read_text(encoding="utf-8").splitlines() if line.endswith("_pkg.sv")]
        packages = [*(self.room / f"small2/{name}_pkg.sv" for name in PACKAGES), *core]
        run(
            "verilator",
            "--cc",
            "--exe",
            "--assert",
            "-Wall",
            "-Wno-UNUSEDSIGNAL",
            "-Irtl/prim",
            "sim/lint.vlt",
            "--prefix",
            "Vtop",
            "--Mdir",
            self.room / "obj",
            "-CFLAGS",
            "-std=gnu++17",
            "--top-module",
            "csr_file_tb",
            *packages,
            *listed,
            "tests/unit/rtl/csr_file/csr_file_tb.sv",
            HERE / "new_csr.cpp",
            "-o",
            "run",
        )
        runtime = f"LOADLIBES={ROOT}/build/lib/verilated-bench.a"
        pch = f"PCH={ROOT}/build/lib/bench"  # as make's benches: rtl/rtl.mk
        run(
            "make",
            "-s",
            "-C",
            self.room / "obj",
            "-f",
            ROOT / "sim/bench.mk",
            "CXX=clang++",
            "LINK=clang++",
            "OPT_FAST=-O1",
            "OPT_SLOW=-O0",
            "VM_GLOBAL_FAST=",
            runtime,
            pch,
        )
        run(self.room / "obj/run")

    def test_iss(self):
        """All of the ISS that reads the table is compiled again, the rest is as it stands in build."""
        sources = [
            path
            for path in (ROOT / "csrc/iss").glob("*.c")
            if "csrs.h" in path.read_text(encoding="utf-8") or "CSR_INFO_ROWS" in path.read_text(encoding="utf-8")
        ]
        self.assertIn("csr.c", [path.name for path in sources])
        stale = {path.stem for path in sources}
        objects = [
            path
            for folder in ("base", "isa", "profile", "machine", "iss")
            for path in sorted((ROOT / "build/obj/csrc" / folder).glob("*.o"))
            if folder != "iss" or path.stem not in stale
        ]
        run("ar", "rcs", self.room / "rest.a", *objects)
        run(
            "gcc",
            "-std=gnu17",
            "-O1",
            "-I",
            self.room / "common",
            "-I",
            "build/gen",
            "-I",
            "csrc",
            "-I",
            ".",
            "-o",
            self.room / "iss",
            HERE / "new_csr.c",
            *sources,
            self.room / "rest.a",
            "-lcmocka",
            "-lsqlite3",
            "-lcjson",
            "-lelf",
            "-lfdt",
            "-lzstd",
            "-lz",
            "-lm",
            "-lpthread",
        )
        run(self.room / "iss")


if __name__ == "__main__":
    unittest.main()
