#!/usr/bin/env python3
"""What scripts/gus makes of measurements: basic blocks, llvm-mca's cycles of them, figures of errors, against values by hand.

    tests/unit/gus/test_evaluation.py
"""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts/gus"), str(ROOT / "tests/kernels")]
import evaluation_page  # noqa: E402
import static  # noqa: E402
from kernels import Row  # noqa: E402


def report(*rows):
    return {"rows": [{"address": hex(a), "instruction": text, "executions": n} for a, text, n in rows]}


# Entered once, a loop of 100 whose second half is left out 40 times, and what follows it.
LOOP = report(
    (0x1000, "li a0, 100", 1),
    (0x1004, "add a1, a1, a0", 100),
    (0x1008, "beqz a2, 0x1012", 100),
    (0x100C, "add a3, a3, a1", 60),
    (0x1010, "add a3, a3, a1", 60),
    (0x1012, "addi a0, a0, -1", 100),
    (0x1014, "bnez a0, 0x1004", 100),
    (0x1018, "ret", 1),
)


class Blocks(unittest.TestCase):
    def test_blocks_end_where_control_goes(self):
        found = static.blocks(LOOP)
        self.assertEqual(
            [(b.address, b.executions, len(b.lines)) for b in found], [(0x1000, 1, 1), (0x1004, 100, 2), (0x100C, 60, 2), (0x1012, 100, 2), (0x1018, 1, 1)]
        )

    def test_a_target_begins_a_block_though_counts_are_equal(self):
        found = static.blocks(report((0x1000, "addi a0, a0, 1", 7), (0x1002, "addi a1, a1, 1", 7), (0x1004, "bnez a0, 0x1002", 7)))
        self.assertEqual([b.address for b in found], [0x1000, 0x1002])

    def test_what_did_not_run_parts_blocks(self):
        found = static.blocks(report((0x1000, "addi a0, a0, 1", 7), (0x1010, "addi a1, a1, 1", 7)))
        self.assertEqual([b.address for b in found], [0x1000, 0x1010])


class Lifted(unittest.TestCase):
    """Blocks whose cycles an out-of-order core has by construction."""

    def cycles(self, *lines, cpu="sifive-p670"):
        block = static.Block(0x1000, 1, list(lines))
        return static.analyse([block], cpu)[0].cycles

    def test_a_chain_takes_its_latency(self):
        one, three = self.cycles("add a0, a0, a1"), self.cycles("add a0, a0, a1", "add a0, a0, a1", "add a0, a0, a1")
        self.assertAlmostEqual(one, 1, delta=0.1)
        self.assertAlmostEqual(three, 3, delta=0.1)

    def test_registers_are_followed_and_memory_is_not(self):
        """The blindness that docs/results/gus-evaluation.md shows on adi."""
        through_register = self.cycles("fadd.d fa0, fa0, fa1", "fadd.d fa0, fa0, fa1")
        through_memory = self.cycles("fld fa0, 0(a0)", "fadd.d fa0, fa0, fa1", "fadd.d fa0, fa0, fa1", "fsd fa0, 0(a0)")
        self.assertGreater(through_register, 2 * through_memory)

    def test_executions_weigh(self):
        once = static.lifted(report((0x1000, "add a0, a0, a1", 1)), "sifive-p670")
        self.assertAlmostEqual(static.lifted(report((0x1000, "add a0, a0, a1", 50)), "sifive-p670"), 50 * once, places=6)


class Figures(unittest.TestCase):
    def rows(self, *pairs):
        return [(Row("gemm", "", 4, 0, (), ("O2",)), "O2", {"core": core, "gus": gus, "mca": core}) for core, gus in pairs]

    def test_by_hand(self):
        """Errors 10, -20, 30, 0 %: mean 15, quartiles by linear interpolation 7.5, 15, 22.5; one pair of six out of order."""
        mean, low, middle, high, tau = evaluation_page.figures(self.rows((100, 110), (200, 160), (300, 390), (350, 350)), "gus")
        for found, wanted in ((mean, 15), (low, 7.5), (middle, 15), (high, 22.5), (tau, 4 / 6)):
            self.assertAlmostEqual(found, wanted)

    def test_exact_tools_have_no_error(self):
        mean, *_, tau = evaluation_page.figures(self.rows((100, 1), (200, 2)), "mca")
        self.assertEqual((mean, tau), (0, 1))

    def test_the_plot_has_all_programs(self):
        svg = evaluation_page.plot({"tea4": self.rows((100, 110), (100, 500), (100, 1))})
        counts = [int(part.split(" programs")[0]) for part in svg.split("<title>")[1:]]
        self.assertEqual(sum(counts), 6)


if __name__ == "__main__":
    unittest.main()
