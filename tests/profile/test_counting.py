#!/usr/bin/env python3
"""Software on the core counts events whose number it knows by construction (tests/profile/counting).

    tests/profile/test_counting.py CONFIG NAME

Runs build/tests/counting/NAME.elf in lockstep. The program compares its counters itself and ends with status 0, or 100
and the number of the check that failed. Where its header says `# exit: the largest distance ...`, the status is how
many instructions ran between a counter's overflow and its interrupt, at most: the rest of the group that overflows and
one more group, 2 W - 1, and not less than a full-width core that commits W a cycle needs, W. Where it says
`# exit-by: KEY`, the status is that key of the configuration.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAILED = 100  # and the number of the check


def main():
    config, name = sys.argv[1:]
    source = (ROOT / "tests/profile/counting" / f"{name}.S").read_text(encoding="utf-8")
    keys = json.loads((ROOT / f"build/{config}/gen/config.json").read_text(encoding="utf-8"))
    width = keys["core.width"]
    by = re.search(r"^# exit-by: (\w+)\.(\w+)", source, re.M)
    least, most = (width, 2 * width - 1) if re.search(r"^# exit: the largest distance", source, re.M) else (0, 0)
    if by:
        least = most = keys[f"{by[1]}.{by[2]}"]
    run = [ROOT / "build/bin/tipoff", "run", "--config", config, "--quiet", "--max-cycles", "1000000", ROOT / f"build/tests/counting/{name}.elf"]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode >= FAILED or done.stderr:
        print(f"{name} on {config}: status {done.returncode}: " + (f"check {done.returncode - FAILED} failed" if not done.stderr else done.stderr))
        return 1
    if not least <= done.returncode <= most:
        print(f"{name} on {config}: {done.returncode}, expected {least} to {most}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
