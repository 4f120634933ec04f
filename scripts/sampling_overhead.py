#!/usr/bin/env python3
"""What sampling by software costs, in simulated cycles: writes the table of docs/guide/sampling.md.

    scripts/sampling_overhead.py [--write] [CONFIG...]     default: small2 tea4

Every program runs with its handler built in (build/workloads/sampled) once without a trigger and once at each period,
without a timer interrupt: the difference in cycles is what the samples cost. Cycles do not depend on the machine that simulates.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import page_head

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/profile"))
import software_samples  # noqa: E402

PAGE = ROOT / "docs/guide/sampling.md"
BEGIN, END = "<!-- table by scripts/sampling_overhead.py -->\n", "<!-- end of table -->\n"
NEVER = 1 << 62
ROWS = {"interp.medium": (997, 4999, 20011), "chase.small": (997, 4999), "vm_sort.medium": (997, 4999, 20011), "interp.large": (100003, 800011)}
LARGE = "tea4"  # a large program runs on this one only: it takes minutes


def run(config, name, period, folder):
    """(cycles, counts of the buffer, samples)"""
    copy, stats, dump = (str(pathlib.Path(folder) / end) for end in ("copy.elf", "stats.json", "buffer.bin"))
    software_samples.set_up(ROOT / f"build/workloads/sampled/{name}.elf", copy, config, period)
    command = [
        ROOT / "build/bin/tipoff",
        "run",
        "--config",
        config,
        "--no-cosim",
        "--no-oracle",
        "--quiet",
        "--stats",
        stats,
        "--dump-memory",
        f"sampling_buffer={dump}",
        copy,
    ]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} on {config}: status {done.returncode}: {done.stderr}")
    counts, _ = software_samples.read_buffer(dump, config)
    if counts["lost"] or counts["overflow"]:
        sys.exit(f"{name} on {config}, period {period}: {counts['lost']} lost, {counts['overflow']} without room")
    return json.loads(pathlib.Path(stats).read_text(encoding="utf-8"))["cycles"], counts


def measure(configs):
    lines = ["| core | program | cycles without | period | samples | slow-down | cycles a sample | bytes a sample |", "|---|---|---:|---:|---:|---:|---:|---:|"]
    with tempfile.TemporaryDirectory() as folder:
        for config in configs:
            for name, periods in ROWS.items():
                if name.endswith(".large") and config != LARGE:
                    continue
                base, none = run(config, name, NEVER, folder)
                if none["count"]:
                    sys.exit(f"{name} on {config}: a sample without a trigger")
                for period in periods:
                    cycles, counts = run(config, name, period, folder)
                    more, samples = cycles - base, max(1, counts["count"])
                    lines.append(
                        f"| {config} | {name} | {base:,} | {period:,} | {counts['count']:,} | {100 * more / base:.2f} % | {more / samples:.0f} | {counts['record_bytes']} |"
                    )
                    print(lines[-1], flush=True)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the table into docs/guide/sampling.md")
    parser.add_argument("configs", nargs="*", default=["small2", "tea4"])
    arguments = parser.parse_args()
    programs = [f"build/workloads/sampled/{name}.elf" for name in ROWS]
    subprocess.run(["make", "-s", "build/bin/tipoff", *programs, *(f"build/{config}/model.so" for config in arguments.configs)], cwd=ROOT, check=True)
    table = measure(arguments.configs)
    if arguments.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(
            re.sub(
                re.escape(BEGIN) + ".*?" + re.escape(END),
                lambda _: BEGIN + page_head.sentence("scripts/sampling_overhead.py --write") + "\n\n" + table + END,
                page,
                flags=re.S,
            ),
            encoding="utf-8",
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
