#!/usr/bin/python3
"""scripts/hbbp/train.py: trees learned of blocks made up, as rows of the table; the table's checks; the drawing in docs is the table's."""
import pathlib
import random
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts/hbbp"), str(ROOT / "scripts")]
import numpy  # noqa: E402
import train  # noqa: E402
from generate import hbbp, reading  # noqa: E402

COLUMNS = ("rule", "node", "feature", "at_most", "then", "else")


class Made(train.Blocks):
    """Blocks of random features, whose method errs by 1 where `lbr` says it is the better one, and the other by 10."""

    def __init__(self, seed, lbr):
        draw = random.Random(seed)
        self.source = str(seed)
        rows = [[draw.randrange(1, 100), draw.randrange(2), *(draw.randrange(1000) for _ in range(5)), draw.randrange(2)] for _ in range(2000)]
        self.features = numpy.array(rows, dtype=float)
        self.cost = numpy.array([[10, 1] if lbr(dict(zip(hbbp.FEATURES, row))) else [1, 10] for row in rows])
        self.executions, self.instructions = numpy.ones(len(rows)), float(10 * len(rows))


def decide(rows, features):
    at = "0"
    while at.isdigit():
        feature, at_most, then, other = rows[int(at)]
        at = then if features[feature] <= float(at_most) else other
    return at == "LBR"


def learns(lbr, leaves, nodes):
    blocks = Made(1, lbr)
    grown = train.grow([blocks], leaves, "cost")
    rows = train.rows_of(grown)
    assert len(rows) == nodes, rows
    fresh = Made(2, lbr)
    right = sum(decide(rows, dict(zip(hbbp.FEATURES, f))) == lbr(dict(zip(hbbp.FEATURES, f))) for f in fresh.features)
    assert right >= 0.98 * len(fresh.features), (right, rows)
    assert list(train.chosen(grown, fresh)) == [decide(rows, dict(zip(hbbp.FEATURES, f))) for f in fresh.features], "the rows are the tree"


def trees():
    learns(lambda f: True, 1, 1)
    learns(lambda f: False, 1, 1)
    learns(lambda f: f["length"] <= 18, 2, 1)
    learns(lambda f: f["length"] <= 18 or f["bias"] == 0, 4, 2)
    learns(lambda f: f["length"] > 40, 8, 1)  # leaves that agree are one


def errors():
    blocks = Made(3, lambda f: f["length"] <= 50)
    short = blocks.features[:, 0] <= 50
    assert abs(blocks.error(short) - len(short) / blocks.instructions) < 1e-9, "the right choice errs by 1 each"
    assert abs(blocks.error(~short) - 10 * len(short) / blocks.instructions) < 1e-9, "the wrong one by 10"
    assert len(train.left_out([blocks, Made(4, lambda f: f["length"] <= 50)], 2, "cost")) == 2


def refused(text, *words):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "hbbp.tsv"
        path.write_text("\t".join(COLUMNS) + "\n" + text)
        try:
            hbbp.check(path)
        except reading.TableError as error:
            assert all(word in str(error) for word in words), error
            return
        raise AssertionError(f"{text!r} is taken")


def table():
    refused("a\t1\tlength\t18\tLBR\tEBS\n", "number them from 0")
    refused("a\t0\theight\t18\tLBR\tEBS\n", "height")
    refused("a\t0\tlength\tten\tLBR\tEBS\n", "no number")
    refused("a\t0\tlength\t18\t0\tEBS\n", "after this one")
    refused("a\t0\tlength\t18\tLBR\t1\n", "after this one")
    rows = [row for row in hbbp.check(ROOT / "tables/hbbp.tsv") if row["rule"] == "learned"]
    drawn = train.drawing([(row["feature"], row["at_most"], row["then"], row["else"]) for row in rows])
    assert drawn == train.DRAWING.read_text(), "docs/results/hbbp-rule.svg is not the table's: scripts/hbbp/train.py --write"
    header = (ROOT / "csrc/methods/hbbp/rule.h").read_text()
    names = header[header.index("#define HBBP_FEATURE_NAMES") :].split("\n", 1)[0]
    assert tuple(name.strip(' "') for name in names.split("NAMES", 1)[1].split(",")) == hbbp.FEATURES, "features are C's, in its order"


def main():
    tests = (trees, errors, table)
    for test in tests:
        test()
    print(f"{len(tests)} passed, 0 failed")


if __name__ == "__main__":
    main()
