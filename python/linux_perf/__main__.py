"""tipoff linux --perf: perf record of a Linux program in the guest, on the core, and what perf makes of it."""
import argparse
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import command_line  # noqa: E402

BAD_INPUT, OUTPUT = 2, 4
AT = "marker:6"  # scripts/linux/perf_start.c
RISCV = 243
SHOWS = {  # what perf is asked for, of a file
    "report": ["report", "--stdio", "--sort", "sym"],
    "states": ["report", "--stdio", "--sort", "sym,local_weight"],
    "script": ["script", "-F", "ip,sym,period,weight"],
}
UNIT = "r101:u"


class Error(Exception):
    """One line, and the status."""

    def __init__(self, text, status=BAD_INPUT):
        super().__init__(text)
        self.status = status


def options(words):
    parser = command_line.Parser(
        "linux --perf",
        "Run PROGRAM under perf record in the guest, from its first instruction on a core with every check, write perf.data, and print what perf says of it "
        "(docs/guide/perf.md). What comes before, perf's own beginning too, runs on the instruction-set simulator. PROGRAM's output goes to standard error.",
        "Needs `make linux-perf`. Exit status: the program's; 2 on bad usage or bad input; 4 when an output could not be written; others as `tipoff run`.",
    )
    parser.operands = lambda: " -- PROGRAM [ARG...]"
    parser.add_argument("--config", metavar="NAME", default="tea4", help="core configuration (default: tea4)")
    parser.add_argument("--output", "-o", metavar="FILE", type=pathlib.Path, default=pathlib.Path("perf.data"), help="perf's file (default: perf.data)")
    parser.add_argument(
        "--event", metavar="EVENT", default=UNIT, help="what is sampled, by perf's name: cycles:u by interrupts; r101:u, the default, by the sampling unit"
    )
    parser.add_argument("--period", metavar="N", type=int, default=4999, help="events a sample (default: 4999)")
    parser.add_argument(
        "--show",
        metavar="WHAT",
        choices=[*SHOWS, "none"],
        default="report",
        help="report: shares by function; states: by state and events, too; script: each sample; none (default: report)",
    )
    parser.add_argument("--file", metavar="HOST[:GUEST]", action="append", default=[], help="copy a file into the guest, too; may be repeated")
    parser.add_argument("--env", metavar="NAME=VALUE", action="append", default=[], help="set an environment variable; may be repeated")
    parser.add_argument("--run", metavar="OPTION", action="append", default=[], help="an option of `tipoff run` (--run=--samples=my.tips); may be repeated")
    parser.add_argument("--build", required=True, type=pathlib.Path, help=argparse.SUPPRESS)
    end = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:end])
    arguments.program = words[end + 1 :]
    if not arguments.program:
        parser.error("name a program after --")
    if arguments.period < 1:
        parser.error(f"--period {arguments.period}: not a number from 1 on")
    return arguments


def needed(build):
    """The guest's perf and what it starts."""
    for name in ("linux.elf", "perf", "perf-start"):
        path = build / "linux" / name
        if not path.is_file():
            raise Error(f"{path}: No such file or directory: make it with `make linux-perf`")
    return build / "linux/perf", build / "linux/perf-start"


def check_program(path):
    try:
        head = path.open("rb").read(20)
    except OSError as reason:
        raise Error(f"{path}: {reason.strerror}: name a RISC-V Linux program") from None
    if head[:4] != b"\x7fELF" or len(head) < 20 or struct.unpack_from("<H", head, 18)[0] != RISCV:
        raise Error(f"{path}: not a RISC-V program: name one, built by riscv64-linux-gnu-gcc")


def check_output(path, inputs):
    """It must be none of the inputs, and a file that can be written."""
    for other in inputs:
        if path.exists() and other.exists() and path.samefile(other):
            raise Error(f"{path}: is an input, too: choose another --output")
    if not path.absolute().parent.is_dir():
        raise Error(f"{path}: there is no folder {path.absolute().parent}", OUTPUT)


class Guest:
    """Runs of this command; each, its own messages apart, silently."""

    def __init__(self, arguments, folder):
        self.tipoff = arguments.build / "bin/tipoff"
        self.arguments, self.folder = arguments, folder
        self.perf, self.start = needed(arguments.build)

    def run(self, words, out=None, stdin=subprocess.DEVNULL):
        return subprocess.run([self.tipoff, *words], stdin=stdin, stdout=out, check=False).returncode

    def files(self):
        """Options for what perf and the program read there."""
        given = [*self.arguments.file, f"{self.program}:/{self.name}"]
        return [word for file in given for word in ("--file", file)] + [f"--env={text}" for text in self.arguments.env]

    def hand_in(self):
        """The program without symbols that only mark code ($x), which perf 6.1 takes for functions."""
        own = pathlib.Path(self.arguments.program[0])
        self.program, self.name = own, own.name
        objcopy = shutil.which("riscv64-linux-gnu-objcopy")
        bare = self.folder / "program"
        if objcopy and subprocess.run([objcopy, "--wildcard", "--strip-symbol=$*", own, bare], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            self.program = bare

    def record(self, data):
        """perf record, to the program's start on the ISS, from there on the core. The program's status."""
        before, there = self.folder / "before.machine", self.folder / "there.machine"
        a = self.arguments
        perf = [
            self.perf,
            "record",
            "-N",
            "-B",
            "-P",
            "-W",
            "-q",
            "-o",
            "-",
            "-e",
            a.event,
            "-c",
            str(a.period),
            "/perf-start",
            f"/{self.name}",
            *a.program[1:],
        ]
        given = ["--config", a.config, "--checkpoint", before, "--file", f"{self.start}:/perf-start", *self.files()]
        status = self.run(["linux", *given, "--", *perf], stdin=None)
        if status:
            raise Error("", status)
        with data.open("wb") as file:
            status = self.run(["iss", "--quiet", "--restore", before, "--at", AT, "--checkpoint", there], file)
            if status or not there.exists():
                raise Error("perf record has not started the program: see its message", status or BAD_INPUT)
            head = file.tell()
            status = self.run(["run", "--config", a.config, "--quiet", "--restore", there, *a.run], file)
            file.seek(0, os.SEEK_END)
            if file.tell() == head:
                raise Error("perf has written no sample", status or BAD_INPUT)
        return status

    @staticmethod
    def colour(what):
        """perf writes to the guest's terminal, whatever the host's output is."""
        return ["--stdio-color", "never"] if SHOWS[what][0] == "report" and not sys.stdout.isatty() else []

    def show(self, data, what):
        words = ["linux", "--iss", *self.files(), "--file", f"{data}:/perf.data", "--", self.perf, *SHOWS[what], "-i", "/perf.data", *self.colour(what)]
        return self.run(words)


def main():
    a = options(sys.argv[1:])
    try:
        with tempfile.TemporaryDirectory(prefix="tipoff-perf-") as name:
            guest = Guest(a, pathlib.Path(name))
            program = pathlib.Path(a.program[0])
            check_program(program)
            check_output(a.output, [program, *(pathlib.Path(text.split(":")[0]) for text in a.file)])
            guest.hand_in()
            data = guest.folder / "perf.data"
            status = guest.record(data)
            try:
                shutil.copyfile(data, a.output)
            except OSError as reason:
                raise Error(f"{a.output}: {reason.strerror}", OUTPUT) from None
            shown = guest.show(data, a.show) if a.show != "none" else 0
            sys.stdout.flush()
            print(f"perf's file: {a.output} ({a.output.stat().st_size:,} bytes)", file=sys.stderr)
            return status or shown
    except Error as reason:
        if str(reason):
            print(f"tipoff: {reason}", file=sys.stderr)
        return reason.status
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
