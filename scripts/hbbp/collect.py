"""Runs with both collections, for train.py and evaluate.py: what is there is not run again.

Training programs are the kernels of tests/kernels in their large sizes, in two builds each, and the programs of docs/results/advice.md, before and after the change, which are short and sampled twice as often (those that
are too short even for that are left out); test programs are the workloads. No program is in both.
"""
import csv
import io
import json
import pathlib
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIPOFF = ROOT / "build/bin/tipoff"
DEPTH, EBS, LBR = 16, 997, 101  # entries of the paper's stacks; its table 4 has 1 000 037 and 100 003 for runs of seconds, ours are a thousand times shorter

DRAWS = ((EBS, LBR), (1009, 103), (1013, 107), (991, 97))
SHORT_DRAWS = ((499, 53), (503, 47), (509, 59), (491, 43))


def training(config):
    """Runs of each training program, each with its own periods: several draws of the same blocks."""
    kernels = sorted((ROOT / "build/kernels").glob("*-large.*.elf"))
    if not kernels:
        raise SystemExit("scripts/hbbp: build/kernels: no programs here: run make kernels")
    folder = ROOT / "build/hbbp/programs"
    folder.mkdir(parents=True, exist_ok=True)
    runs = [Run(program, config, ebs, lbr) for program in kernels for ebs, lbr in DRAWS]
    for name in tomllib.loads((ROOT / "tests/advice/programs.toml").read_text(encoding="utf-8")):
        for side, flags in (("before", []), ("after", ["-DFIXED"])):
            program = folder / f"{name}.{side}.elf"
            if not program.exists():
                subprocess.run([ROOT / "build/bin/tipoff-cc", "-ffp-contract=off", *flags, f"tests/advice/{name}.c", "-o", program], check=True, cwd=ROOT)
            runs += [Run(program, config, ebs, lbr) for ebs, lbr in SHORT_DRAWS]
    return [run for run in runs if run.is_long_enough()]


def tests(size):
    return sorted((ROOT / "build/workloads").glob(f"*.{size}.elf"))


class Run:
    """A program on a core with both collections: its sample file, made when it is first asked for."""

    def __init__(self, program, config, ebs=EBS, lbr=LBR, depth=DEPTH):
        self.program, self.name, self.config = program, program.name.removesuffix(".elf"), config
        self.worker = f"collections:ebs={ebs},lbr={lbr},depth={depth}"
        self.file = ROOT / f"build/hbbp/{config}/{self.name}.{ebs}.{lbr}.{depth}.tips"

    def collect(self):
        made_of = (self.program, ROOT / f"build/{self.config}/model.so", ROOT / "csrc/workers/collections.c", ROOT / "csrc/samples/samples_format.h")
        newest = max(path.stat().st_mtime for path in made_of)
        if self.file.exists() and self.file.stat().st_mtime > newest:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        part = self.file.with_suffix(".part")
        subprocess.run(
            [TIPOFF, "run", "--quiet", "--config", self.config, "--period", "9973", "--samples", part, "--worker", self.worker, self.program],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        part.rename(self.file)

    def is_long_enough(self):
        self.collect()
        return subprocess.run([TIPOFF, "mix", "--output", "/dev/null", self.file], stderr=subprocess.DEVNULL, check=False).returncode == 0

    def mix(self, *options):
        self.collect()
        return subprocess.run([TIPOFF, "mix", *map(str, options), self.file], check=True, capture_output=True, text=True).stdout

    def compared(self, *options):
        """The pivot by mnemonic with all estimates and their errors."""
        return json.loads(self.mix("--compare", "--format", "json", *options))

    def blocks(self):
        """Rows of `tipoff mix --blocks`: block, mode, function as texts, the rest as numbers."""
        return [
            {key: value if key in ("block", "mode", "function") else float(value) for key, value in row.items()}
            for row in csv.DictReader(io.StringIO(self.mix("--blocks")))
        ]
