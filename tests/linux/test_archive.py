#!/usr/bin/env python3
"""Packages of Debian's archive: what is held is not fetched, what is damaged or missing is, and nothing else is touched.

    tests/linux/test_archive.py

apt-get is replaced by a script that writes down how it was called, and puts a package down where it is asked to: no network.
"""
import hashlib
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, check, main, test  # noqa: E402

# Knows version 2 of p alone: as a binary package, and as a source package of one file.
APT = """#!/bin/bash
echo "$@" >> "$CALLS"
[ "$APT_FAILS" = "" ] || { echo "E: Couldn't find any package by glob 'p'" >&2; exit 100; }
case "$*" in
*update) ;;
*download*=1 | *source*=1) exit 100 ;;
*"source --download-only"*) echo data > p_2.tar && printf 'Checksums-Sha256:\\n %s 5 p_2.tar\\nFiles:\\n' "$(sha256sum < p_2.tar | cut -d' ' -f1)" > p_2.dsc ;;
*download*) touch p_2_all.deb ;;
esac
"""


def archive(folder, *arguments, **environment):
    (folder / "bin").mkdir(exist_ok=True)
    apt = folder / "bin/apt-get"
    apt.write_text(APT)
    apt.chmod(0o755)
    calls = folder / "calls"
    calls.write_text("")
    settings = {**os.environ, "PATH": f"{apt.parent}:{os.environ['PATH']}", "CALLS": str(calls), "APT_FAILS": "", **environment}
    done = subprocess.run(
        [ROOT / "scripts/linux/archive.sh", folder / "cache", *arguments], capture_output=True, text=True, env=settings, timeout=60, check=False
    )
    return done.returncode, done.stdout.splitlines(), done.stderr, calls.read_text()


def source(folder, version, data=b"data\n"):
    cache = folder / "cache"
    cache.mkdir(exist_ok=True)
    (cache / f"p_{version}.tar").write_bytes(data)
    (cache / f"p_{version}.dsc").write_text(f"Format: 1\nChecksums-Sha256:\n {hashlib.sha256(b'data' + bytes([10])).hexdigest()} 5 p_{version}.tar\nFiles:\n")


@test
def held(folder):
    """What is there is taken, also of another version, and apt is not asked."""
    source(folder, "1")
    status, out, err, calls = archive(folder, "source", "p=1")
    check((status, out, calls) == (0, [str(folder / "cache/p_1.dsc")], ""), f"{status} {out} {err} {calls}")
    status, out, err, calls = archive(folder, "source", "p=3")
    check((status, out, calls) == (0, [str(folder / "cache/p_1.dsc")], ""), f"{status} {out} {err} {calls}")
    (folder / "cache/p_1_all.deb").touch()
    status, out, err, calls = archive(folder, "binary", "p=1")
    check((status, out, calls) == (0, [str(folder / "cache/p_1_all.deb")], ""), f"{status} {out} {err} {calls}")


@test
def fetched(folder):
    """What is missing, or not what its .dsc says; where the pinned version is gone, the newest, and stderr reports it."""
    source(folder, "2", b"other")
    status, out, err, calls = archive(folder, "source", "p=2", "p=2")
    check((status, out) == (0, [str(folder / "cache/p_2.dsc")] * 2) and calls.count("\n") == 2, f"{status} {out} {err} {calls}")
    check(
        all(f"{name}={folder}/cache/apt/" in calls for name in ("Dir::Etc::sourceparts", "Dir::State::lists", "Dir::Cache"))
        and "sourcelist=/dev/null" in calls,
        calls,
    )
    check(not (folder / "cache/apt").exists(), "the lists are left")
    status, out, err, _ = archive(folder, "binary", "p=1")
    check((status, out) == (0, [str(folder / "cache/p_2_all.deb")]) and "p 1 is not in the archive any more" in err, f"{status} {out} {err}")


@test
def no_network(folder):
    status, out, err, _ = archive(folder, "source", "p=2", APT_FAILS="1")
    check(status == 1 and out == [] and err.count("\n") == 1, f"{status} {out} {err}")
    check(f"cannot read Debian's package lists ({folder}/cache/apt.log); with no network, put its .dsc" in err, err)
    check("E: Couldn't find any package" in (folder / "cache/apt.log").read_text(), "what apt-get says is kept")
    check(not (folder / "cache/apt").exists(), "the lists are left")
    status, _, err, _ = archive(folder, "sources", "p=2")
    check(status == 2 and "binary or source" in err, f"{status} {err}")


if __name__ == "__main__":
    sys.exit(main())
