"""The rows of programs.toml, where what belongs to one stands, and how one is run on this machine and on the ISS.

build/linux/programs/cache      Debian's source packages
                     inputs     work/, what inputs.py makes, and what a native build leaves
                     NAME/NAME        static, for RISC-V        NAME/native    the same for this machine
                          expected    what native printed        NAME/source   of the former, for reports
"""
import pathlib
import re
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/linux/programs"
TABLE = ROOT / "scripts/programs/programs.toml"
WORK = ROOT / "scripts/programs/work"
INPUTS = FOLDER / "inputs"
TIPOFF = ROOT / "build/bin/tipoff"
# glibc's functions of this machine must round as RISC-V's do: not those that multiply and add in one.
NATIVE = {"PATH": "/", "HOME": "/", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"}


class Program:
    """A row; or a side of its change, LABEL: OVER is laid over the row. A side is only built where it is built otherwise."""

    def __init__(self, name, row, over=None, label=""):
        self.name, self.row = name + label, {**row, **(over or {})}
        self.package = self.row["package"]
        self.build, self.binary = self.row["build"], self.row["program"]
        self.cflags, self.files = self.row.get("cflags", ""), self.row.get("files", [])
        self.arguments, self.input = self.row.get("arguments", []), self.row.get("input")
        self.whole_row = not label
        self.own_guest = self.whole_row or self.build != row["build"] or self.cflags != row.get("cflags", "")
        self.folder = FOLDER / self.name
        self.guest = (self.folder if self.own_guest else FOLDER / name) / name
        self.native = FOLDER / name / "native"

    def input_bytes(self):
        return (INPUTS / self.input).read_bytes() if self.input else b""

    def cut(self, output):
        """Without what differs from run to run."""
        forget = self.row.get("forget")
        return re.sub(forget.encode(), b"", output, flags=re.M) if forget else output

    def linux(self, *options):
        """The command that runs it as a guest."""
        files = [part for file in self.files for part in ("--file", str(INPUTS / file))]
        return [str(TIPOFF), "linux", *options, *files, "--", str(self.guest), *self.arguments]

    def run_native(self):
        done = subprocess.run(
            [str(self.native), *self.arguments], input=self.input_bytes(), capture_output=True, cwd=INPUTS, env=NATIVE, timeout=300, check=False
        )
        return done.returncode, self.cut(done.stdout)

    def expected(self):
        status, output = self.folder.joinpath("expected").read_bytes().split(b"\n", 1)
        return int(status), output

    def built(self):
        return all(path.exists() for path in (self.guest, self.native, self.folder / "expected"))


def load():
    """All rows, in the order of the table."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {name: Program(name, row) for name, row in rows.items()}


def sides(name):
    """Before and after the change of a row, on the smaller work that both do."""
    row = tomllib.loads(TABLE.read_text(encoding="utf-8"))[name]
    change = row["change"]
    work = change.get("work", {})
    return Program(name, row, work, "-before"), Program(name, row, {**work, **change.get("over", {})}, "-after")
