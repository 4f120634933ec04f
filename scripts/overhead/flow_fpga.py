"""A unit in the cells of an FPGA family: how many look-up tables, flip-flops and carry chains. Counts only: no placement, so no time."""
import json
import pathlib
import re

import flow

FAMILY = "Xilinx 7 series (yosys synth_xilinx -family xc7)"
KINDS = {
    "LUTs": r"LUT[1-6]",
    "flip-flops": r"FD[RSCP]E(_1)?",
    "carries": r"CARRY4",
    "wide multiplexers": r"MUXF[78]",
    "LUTs as memory": r"(RAM\d+|SRL).*",
    "block RAMs": r"RAMB\d+.*",
    "multipliers": r"DSP.*",
}


def measure(design, cells):
    """{kind: count}."""
    key = f"fpga-{flow.digest(design, cells, (pathlib.Path(__file__),))}"
    kept = flow.ROOM / "results" / f"{key}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    folder = flow.ROOM / "work" / f"{design['top']}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    flow.elaborate(design, folder)
    (folder / "fpga.ys").write_text(
        f"read_rtlil {folder}/design.il\nsynth_xilinx -family xc7 -flatten -noiopad -noclkbuf -top {design['top']}\nwrite_json {folder}/fpga.json\n"
    )
    flow.run(["yosys", "-q", folder / "fpga.ys"], folder / "fpga.log", cwd=flow.ROOT)
    kinds = [cell["type"] for cell in json.loads((folder / "fpga.json").read_text())["modules"][design["top"]]["cells"].values()]
    found = {name: sum(bool(re.fullmatch(pattern, kind)) for kind in kinds) for name, pattern in KINDS.items()}
    strange = sorted(
        {kind for kind in kinds if not any(re.fullmatch(pattern, kind) for pattern in KINDS.values()) and kind not in ("INV", "GND", "VCC", "BUFG")}
    )
    if strange:
        raise SystemExit(f"overhead: {design['top']}: cells of the family that nobody counts: {', '.join(strange)}")
    # An inverter is a look-up table, or is merged into one by placement: counted as one.
    found["LUTs"] += kinds.count("INV")
    return flow.keep(found, kept, folder)
