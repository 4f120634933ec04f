"""What the tests of `tipoff regions run` and `validate` share: files of regions, as find writes them and changed, and their runs."""
import json

from cli import ROOT, check, tipoff

SORT = ROOT / "build/workloads/sort.small.elf"  # 114,438 instructions
INTERVAL = 20000


def found(folder, *arguments, name="r.regions", program=SORT):
    path = folder / name
    status, out, err = tipoff("regions", "find", "--interval", INTERVAL, "--format", "json", "--output", path, *arguments, program)
    check(status == 0 and out == err == "", err)
    return path


def run(path, *arguments):
    """What is projected, and the regions, as JSON has it."""
    status, out, err = tipoff("regions", "run", "--config", "small2", "--format", "json", *arguments, path)
    check(status == 0 and err == "", f"regions run {arguments}: status {status}: {err}")
    got = json.loads(out)
    return got["projected"], got["regions"]


def changed(path, name, change):
    """A copy of a file of regions with something changed."""
    content = json.loads(path.read_text())
    change(content)
    other = path.with_name(name)
    other.write_text(json.dumps(content))
    return other


def all_slices(content):
    """Each slice is a region that stands for itself."""
    content["regions"] = [
        {"slice": i, "cluster": i, "begin": s[0], "steps": s[1], "instructions": s[2], "counted": s[3], "multiplier": 1}
        for i, s in enumerate(content["slices"])
    ]
    content["slices"] = [[*s[:4], i] for i, s in enumerate(content["slices"])]


def one_region(content):
    steps = content["steps"]
    content["slices"] = [[0, steps, steps, steps, 0]]
    content["regions"] = [{"slice": 0, "cluster": 0, "begin": 0, "steps": steps, "instructions": steps, "counted": steps, "multiplier": 1}]
