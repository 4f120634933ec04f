#!/usr/bin/env python3
"""`make deb` and `make dist` in a Debian of its own that has nothing of this tree: a run, a report, the page, Python, with what the package depends on.

    tests/package/test_elsewhere.py [--mirror URL]

The base system and what the package depends on come from Debian's mirror, by mmdebstrap, into build/tests/elsewhere. Needs build/dist, and root.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACE = ROOT / "build/tests/elsewhere"
INSIDE = ["unshare", "-m", "sh", "-c", 'mount -t proc proc "$0/proc"; root=$0; exec chroot "$root" "$@"']  # the command finds its folder by /proc
TRIED = r"""set -eu
cd /tmp
[ ! -e %s ]
%s
tipoff --version
tipoff config
tipoff run --config small2 --quiet --period 97 --samples my.tips --stats my.json "$workloads/queens.small.elf"
tipoff run --config tea4 --quiet --period 97 --samples other.tips "$workloads/queens.small.elf"
tipoff report my.tips
tipoff report --format html --output my.html my.tips
tipoff diff my.tips other.tips > diff.txt
tipoff compare my.tips > compare.txt
tipoff gus --config tea4 "$workloads/queens.small.elf" > gus.txt
ls -l my.html
python3 -c 'import tipoff; run = tipoff.Samples("my.tips"); print("samples", len(run.samples), tipoff.__version__)'
"""


def ran(*words, **more):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"FAIL {' '.join(map(str, words[:3]))}: status {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def tried(root, setup):
    """Ends with what a command printed where something is missing in it."""
    out = ran(*INSIDE, root, "/bin/bash", "-c", TRIED % (ROOT, setup))
    for wanted in (r"^small2 .* built$", r"^tea4 .* built$", r"^samples 949 [\d.]+$", r"Computing +59\.5 %", r"my\.html$"):
        if not re.search(wanted, out, flags=re.MULTILINE):
            sys.exit(f"FAIL {wanted} is not in:\n{out}")


def main():
    mirror = sys.argv[2] if sys.argv[1:2] == ["--mirror"] else "http://deb.debian.org/debian"
    (deb,), (packed,) = (ROOT / "build/dist").glob("tipoff_*.deb"), (ROOT / "build/dist").glob("tipoff-*.tar.gz")
    subprocess.run(["rm", "-rf", "--one-file-system", PLACE], check=True)
    PLACE.mkdir(parents=True)
    needs = re.sub(r"\([^)]*\)|,", "", ran("dpkg-deb", "-f", deb, "Depends")).split()
    ran("mmdebstrap", "--variant=minbase", f"--include={','.join(needs)}", "bookworm", PLACE / "root", mirror)
    root = PLACE / "root"
    # The folder first: nothing of the package is installed yet.
    (root / "opt/any where").mkdir()
    ran("tar", "-C", root / "opt/any where", "-xzf", packed)
    folder = f'"/opt/any where/{packed.name.removesuffix(".tar.gz")}"'
    tried(root, f"cd {folder}; here=$PWD; cd /tmp; PATH=$here/bin:$PATH; export PYTHONPATH=$here/lib/tipoff/python; workloads=$here/lib/tipoff/workloads")
    ran("rm", "-rf", root / "opt/any where")
    shutil.copy(deb, root / "tmp")
    ran("chroot", root, "dpkg", "-i", f"/tmp/{deb.name}")
    tried(root, "workloads=/usr/lib/tipoff/workloads")
    ran("chroot", root, "dpkg", "-r", "tipoff")
    if left := ran("chroot", root, "find", "/usr", "-name", "*tipoff*").strip():
        sys.exit(f"FAIL the removed package leaves {left}")
    subprocess.run(["rm", "-rf", "--one-file-system", PLACE], check=True)
    print("the folder and the package run in a Debian of their own")


if __name__ == "__main__":
    sys.exit(main())
