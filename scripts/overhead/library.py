"""The cell library that everything is mapped to: Debian's package of the OSU 0.18 um standard cells, unpacked into build/, never committed."""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROOM = ROOT / "build/overhead"
PACKAGE = "qflow-tech-osu018"
FILES = "usr/share/qflow/tech/osu018/osu018_stdcells"
UNIT_GATE = "NAND2X1"  # its area is one gate equivalent
FLIP_FLOP = "DFFPOSX1"
DRIVER = "BUFX2"  # what drives each input
LOAD = 0.02  # pF at each output, some three inputs of gates


class Library:
    """Cells by name, with their area."""

    def __init__(self, folder):
        self.liberty = folder / (FILES + ".lib")
        self.verilog = folder / (FILES + ".v")
        text = self.liberty.read_text()
        self.area = {
            cell: float(area) for cell, area in re.findall(r"^cell \((\w+)\).*?\n\s*(?:cell_footprint[^\n]*\n\s*)?area : ([\d.]+);", text, re.MULTILINE)
        }
        self.name = re.search(r"library\((\w+)\)", text)[1]
        for cell in (UNIT_GATE, FLIP_FLOP, DRIVER):
            if cell not in self.area:
                raise SystemExit(f"overhead: {self.liberty}: no cell {cell}; is {PACKAGE} of another version? Remove {folder}")
        self.gate = self.area[UNIT_GATE]

    def gates(self, area):
        """Square micrometres as gate equivalents."""
        return area / self.gate


def version():
    """Of the package, as the package lists have it; 'unknown' where they do not."""
    listed = subprocess.run(["apt-cache", "policy", PACKAGE], capture_output=True, text=True, check=False).stdout
    found = re.search(r"Candidate: (\S+)", listed)
    return found[1] if found and found[1] != "(none)" else "unknown"


def fetched():
    """The library, downloaded and unpacked the first time."""
    folder = ROOM / "cells"
    if not (folder / (FILES + ".lib")).exists():
        fresh = ROOM / f"cells.{os.getpid()}"
        fresh.mkdir(parents=True)
        done = subprocess.run(["apt-get", "download", PACKAGE], cwd=fresh, capture_output=True, text=True, check=False)
        packages = list(fresh.glob("*.deb"))
        if done.returncode or not packages:
            sys.exit(
                f"overhead: apt-get download {PACKAGE} failed: {done.stderr.strip()}; run apt-get update, or see whether the package mirror can be reached"
            )
        subprocess.run(["dpkg", "-x", packages[0], fresh], check=True)
        packages[0].unlink()
        if not folder.exists():
            fresh.rename(folder)
    return Library(folder)
