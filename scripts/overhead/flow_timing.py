"""Longest paths of a core: the netlists of its modules in one design for OpenSTA, macros by Liberty cells with stated times."""
import json
import math
import re

import flow
import library
import macros
import structural

HERE = flow.HERE
MEASURED_READS = (8, 32, 128)
PATHS = 10
# What a core does in a cycle, for comparison: registers that it starts from and ends in, and what the way leads through.
OWN = {
    "rename of a packet": (
        "u_core/u_decode_stage/*",
        ("u_core/u_rename_stage/u_map_table/*", "u_core/u_rename_stage/u_free_list/*", "u_core/u_rename_stage/u_busy_table/*"),
    ),
    "64-bit operation with bypass": ("u_core/u_int_cluster/gen_lane_*/*", ("u_core/u_int_cluster/gen_lane_*/ex_?_o*",)),
}


def read_delays(cells):
    """ns by words: of a read without a clock, measured where it is small, a line through log2(words) elsewhere."""
    door = flow.door(cells)
    points = []
    for words in MEASURED_READS:
        path = flow.measure({"top": "overhead_read", "parameters": f"Words={words}", "files": [str(HERE / "rtl/overhead_read.sv")]}, cells)["path"]
        points.append((math.log2(words), path["ns"] - door))
    middle = [sum(values) / len(points) for values in zip(*points)]
    slope = sum((x - middle[0]) * (y - middle[1]) for x, y in points) / sum((x - middle[0]) ** 2 for x, _ in points)
    return lambda words: middle[1] + slope * (math.log2(words) - middle[0])


def netlist(top, summaries, folder, cells, kept):
    """folder/gates.v and folder/macros.lib."""
    with (folder / "gates.v").open("w") as file:
        for text in structural.whole(top, summaries, kept):
            file.write(text)
    forms = {tuple(form) for summary in summaries.values() for form in summary["memories"].values()}
    (folder / "macros.lib").write_text(macros.liberty(forms, flow.reference_delays(cells)["FO4"], read_delays(cells)))


def start(top, folder, cells):
    """What each script for OpenSTA begins with."""
    arrives = flow.door(cells)
    return (
        f"read_liberty {cells.liberty}\nread_liberty {folder}/macros.lib\nread_verilog {folder}/gates.v\nlink_design {structural.plain(top)}\n"
        f"create_clock -name clock -period {flow.PERIOD} [get_ports clk_i_0_]\n"
        + 'set doors {}\nforeach port [all_inputs] { if {[get_property $port full_name] != "clk_i_0_"} { lappend doors $port } }\n'
        + f"if {{[llength $doors]}} {{ set_input_delay {arrives:.4f} -clock clock $doors; set_driving_cell -lib_cell {library.DRIVER} $doors }}\n"
        + f"set_output_delay 0 -clock clock [all_outputs]\nset_load {library.LOAD} [all_outputs]\n"
    )


def register(instance):
    """u_core/u_rob/head_q_b3_ is a bit of u_core/u_rob/head_q."""
    return re.sub(r"(_b\d+_|_\d+_)(__\d+)?$", "", instance)


def place(instance):
    """The module's instance, as the source has it."""
    return instance.rsplit("/", 1)[0].removeprefix("u_core/").replace("/", ".") if "/" in instance else "(ports)"


def steps(text):
    """[(instance, cell, delay)] of one path of a report."""
    return [
        (instance, cell, float(delay))
        for delay, instance, cell in re.findall(r"^\s*(-?[\d.]+)\s+-?[\d.]+\s+[\^v]\s+(\S+)/\w+ \((\w+)\)", text, re.MULTILINE)
        if float(delay) > 0
    ]


def by_place(found):
    """[(place, ns)] in the order of the path, neighbours of one place together."""
    spent = []
    for instance, _, delay in found:
        where = place(instance)
        if spent and spent[-1][0] == where:
            spent[-1][1] += delay
        else:
            spent.append([where, delay])
    return [(where, round(delay, 3)) for where, delay in spent]


def path(text):
    """A row: as flow.read_path, and where its time is spent."""
    row = flow.read_path(text)
    row.update({"start": register(row["start"]), "end": register(row["end"]), "spent": by_place(steps(text[: text.index("data arrival time")]))})
    row.pop("kinds")
    return row


def own(top, folder, cells):
    """{what: path} of OWN, as far as the design has the registers."""

    def pins(patterns, pin):
        return "[concat " + " ".join(f"[get_pins -quiet {{{pattern}/{pin}}}]" for pattern in patterns) + "]"

    script = "".join(
        f'puts "PATH"\nset from {pins((source,), "CLK")}\nset to {pins(ends, "D")}\n'
        "if {[llength $from] && [llength $to]} { report_checks -path_delay max -from $from -to $to -format full -digits 4 }\n"
        for source, ends in OWN.values()
    )
    parts = flow.sta(folder, start(top, folder, cells) + script).split("PATH\n")[1:]
    return {name: path(part) for name, part in zip(OWN, parts) if "data arrival time" in part}


def longest(top, folder, cells):
    """The longest path of folder/gates.v, the longest that starts in another module, and so on."""
    script = f"""
for {{set i 0}} {{$i < {PATHS}}} {{incr i}} {{
  puts "PATH"
  report_checks -path_delay max -format full -digits 4
  set found [lindex [find_timing_paths -path_delay max] 0]
  set name [get_property [get_property $found startpoint] full_name]
  set words [split $name "/"]
  if {{[llength $words] > 1}} {{
    set_false_path -from [get_pins "[join [lrange $words 0 end-2] /]/*/CLK"]
  }} else {{
    set_false_path -from [get_ports $name]
  }}
}}
puts "PATH"
"""
    parts = flow.sta(folder, start(top, folder, cells) + script).split("PATH\n")[1:-1]
    rows = [path(part) for part in parts]
    (folder / "paths.json").write_text(json.dumps(rows, indent=1))
    return rows
