"""The device trees that the boot ROM holds, made of the memory map."""
import subprocess

from generate.reading import TableError
from generate.text import c_header

MOST_HARTS = 16  # of a machine (csrc/machine/harts.h)
TIMEBASE_HZ = 32000000  # of mtime: a tick every 100 cycles of a 3.2 GHz core


# What firmware and Linux call an event (event_idx of the SBI's PMU extension): only those that are what their names say.
SBI_EVENTS = (
    ("CYCLES", 0x1),
    ("INSTRUCTIONS", 0x2),
    ("BRANCHES", 0x5),
    ("FL_MB", 0x6),
    ("DRAINED", 0x8),
    ("STALLED", 0x9),
    ("DR_L1", 0x10009),
    ("ST_LLC", 0x10011),
    ("DR_TLB", 0x10021),
)
SAMPLING_RAW = 0x100  # in a raw event: on the counter that samples, of most configurations; without it on another one
SAMPLING_COUNTERS, OTHER_COUNTERS = 1 << 3, 0x7FFFFFF0  # not 31: Linux 6.1 falls over an overflow of it (1 << 31 is a negative number)


def pmu(tables):
    """Properties of the node that OpenSBI's PMU extension reads."""
    number = {row["name"]: row["number_n"] for row in tables.pmu_events}
    known = [(event, number[name]) for name, event in SBI_EVENTS if name in number]
    cells = {
        "riscv,event-to-mhpmevent": [cell for event, select in known for cell in (event, 0, select)],
        "riscv,event-to-mhpmcounters": [cell for event, _ in known for cell in (event, event, OTHER_COUNTERS)],
        "riscv,raw-event-to-mhpmcounters": [
            cell for select, counters in ((0, OTHER_COUNTERS), (SAMPLING_RAW, SAMPLING_COUNTERS)) for cell in (0, select, 0xFFFFFFFF, 0xFFFFFF00, counters)
        ],
    }
    return ['compatible = "riscv,pmu";', *(f"{name} = <{' '.join(f'0x{cell:x}' for cell in values)}>;" for name, values in cells.items())]


def cpu(number, isa):
    controller = ["#interrupt-cells = <1>;", "interrupt-controller;", 'compatible = "riscv,cpu-intc";']
    return (
        f"cpu@{number:x}",
        [
            'device_type = "cpu";',
            'compatible = "tipoff", "riscv";',
            f"reg = <{number}>;",
            f'riscv,isa = "{isa}";',
            'mmu-type = "riscv,sv39";',
            "riscv,cbop-block-size = <64>;",
            'status = "okay";',
        ],
        [(f"hart{number}: interrupt-controller", controller, [])],
    )


def source(tables, fp, harts=1):
    """Source of the device tree that the boot ROM holds (Devicetree Specification; RISC-V and PLIC bindings of Linux)."""
    region = {r["name"]: r for r in tables.regions}

    def node(name, lines):
        base, size = region[name]["base_n"], region[name]["bytes_n"]
        return [*lines, f"reg = <0x{base >> 32:x} 0x{base & 0xffffffff:x} 0x{size >> 32:x} 0x{size & 0xffffffff:x}>;"]

    def interrupts(*causes):  # of each hart
        return f"interrupts-extended = <{' '.join(f'&hart{number} {cause}' for number in range(harts) for cause in causes)}>;"

    isa = "rv64ima" + ("fd" if fp else "") + "c_zicbop_zicsr_zifencei_zihpm_sscofpmf"
    nodes = [
        (
            "cpus",
            ["#address-cells = <1>;", "#size-cells = <0>;", f"timebase-frequency = <{TIMEBASE_HZ}>;"],
            [cpu(number, isa) for number in range(harts)],
        ),
        (f"memory@{region['dram']['base_n']:x}", node("dram", ['device_type = "memory";']), []),
        (
            "soc",
            ["#address-cells = <2>;", "#size-cells = <2>;", 'compatible = "simple-bus";', "ranges;"],
            [
                (
                    f"clint@{region['clint']['base_n']:x}",
                    node("clint", ['compatible = "sifive,clint0", "riscv,clint0";', interrupts(3, 7)]),
                    [],
                ),
                (
                    f"plic: plic@{region['plic']['base_n']:x}",
                    node(
                        "plic",
                        [
                            'compatible = "sifive,plic-1.0.0", "riscv,plic0";',
                            "#address-cells = <0>;",
                            "#interrupt-cells = <1>;",
                            "interrupt-controller;",
                            "riscv,ndev = <31>;",
                            interrupts(11, 9),
                        ],
                    ),
                    [],
                ),
                *(
                    (
                        f"serial@{region[name]['base_n']:x}",
                        node(
                            name,
                            [
                                'compatible = "ns16550a";',
                                "clock-frequency = <3686400>;",
                                "interrupt-parent = <&plic>;",
                                f"interrupts = <{region[name]['interrupt']}>;",
                            ],
                        ),
                        [],
                    )
                    for name in ("uart", "uart1")
                ),
                (f"test@{region['finisher']['base_n']:x}", node("finisher", ['compatible = "sifive,test1", "sifive,test0";']), []),
            ],
        ),
        ("pmu", pmu(tables), []),
    ]

    def text(nodes, indent):
        lines = []
        for name, properties, children in nodes:
            lines += [f"{indent}{name} {{", *(f"{indent}\t{p}" for p in properties), *text(children, indent + "\t"), f"{indent}}};"]
        return lines

    top = [
        "#address-cells = <2>;",
        "#size-cells = <2>;",
        'compatible = "tipoff,virt", "riscv-virtio";',
        'model = "tipoff";',
        f'chosen {{ stdout-path = "/soc/serial@{region["uart"]["base_n"]:x}"; }};',
        "aliases { " + " ".join(f'serial{i} = "/soc/serial@{region[name]["base_n"]:x}";' for i, name in enumerate(("uart", "uart1"))) + " };",
    ]
    return "\n".join(["/dts-v1/;", "/ {", *("\t" + line for line in top), *text(nodes, "\t"), "};", ""])


def with_fp(tables):
    return source(tables, True)


def without_fp(tables):
    return source(tables, False)


def blob(text):
    try:
        return subprocess.run(["dtc", "-q", "-I", "dts", "-O", "dtb"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
    except FileNotFoundError:
        raise TableError("dtc: not found: make deps installs it (package device-tree-compiler)") from None


def c(tables):
    """The trees of one hart, and those of as many as there can be, which the boot ROM's code takes harts away from."""
    trees = [(f"{name}{kind}", source(tables, fp, harts)) for harts, kind in ((1, ""), (MOST_HARTS, "_MOST")) for name, fp in (("FP", True), ("NO_FP", False))]
    most = f"enum {{ DEVICE_TREE_MOST_HARTS = {MOST_HARTS} }};"
    return c_header("DEVICE_TREE", [most] + [f"#define DEVICE_TREE_{name} " + ", ".join(f"0x{byte:02x}" for byte in blob(text)) for name, text in trees])
