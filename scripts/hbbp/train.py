#!/usr/bin/python3
"""Learn the rule by which HBBP chooses between its two collections: rows `learned` of tables/hbbp.tsv (docs/guide/mix.md).

    scripts/hbbp/train.py [--config small2] [--leaves N] [--write]

Training programs are those of collect.py; no test program is among them. For each basic block that was executed the label is the method whose estimate is nearer to
the exact count; features are those of csrc/methods/hbbp/rule.h. A block weighs what choosing wrongly costs: the difference of the two errors, in instructions
executed. (The paper weighs blocks by their executions; --weight executions does.) How many leaves the tree has is decided by leaving out each source
in turn: the fewest that are within one standard error of the best mean of the error that HBBP has on the one left out. --write: into the table and docs/results/hbbp-rule.svg.
Needs python3-sklearn (Debian's), build/bin/tipoff, the model, and tipoff-cc, and `make kernels`.
"""
import argparse
import html
import statistics
import sys

import numpy
from collect import ROOT, training
from sklearn.tree import DecisionTreeClassifier, export_text

sys.path.insert(0, str(ROOT / "scripts"))
from generate.hbbp import FEATURES  # noqa: E402

TABLE, DRAWING = ROOT / "tables/hbbp.tsv", ROOT / "docs/results/hbbp-rule.svg"
LEAVES = (1, 2, 3, 4, 6, 8, 12)


class Blocks:
    """Of one program: features, and what each method's error of a block costs, in instructions executed."""

    def __init__(self, run):
        rows = [row for row in run.blocks() if row["exact"] > 0]
        self.source = run.name.split("-large")[0].split(".")[0]
        self.features = numpy.array([[row[f] for f in FEATURES] for row in rows])
        self.cost = numpy.array([[abs(row[m] - row["exact"]) * row["length"] for m in ("EBS", "LBR")] for row in rows])
        self.executions = numpy.array([row["exact"] for row in rows])
        self.instructions = float((self.executions * self.features[:, FEATURES.index("length")]).sum())

    def error(self, lbr):
        """By block where all are EBS (False), all LBR (True), or as an array says: executions of instructions that are wrong, of all."""
        return float(numpy.where(lbr, self.cost[:, 1], self.cost[:, 0]).sum() / self.instructions)


def grow(blocks, leaves, weight):
    """A tree of that many leaves; None: one leaf, always LBR or always EBS by the bool beside it."""
    features = numpy.concatenate([b.features for b in blocks])
    cost = numpy.concatenate([b.cost for b in blocks])
    lbr = cost[:, 1] <= cost[:, 0]
    weights = numpy.concatenate(
        [b.executions / b.executions.sum() if weight == "executions" else abs(b.cost[:, 0] - b.cost[:, 1]) / b.instructions for b in blocks]
    )
    if leaves == 1:
        return None, bool(weights[lbr].sum() >= weights[~lbr].sum())
    tree = DecisionTreeClassifier(max_leaf_nodes=leaves, min_samples_leaf=max(5, len(lbr) // 100), random_state=0)
    return tree.fit(features, lbr, sample_weight=weights), True


def chosen(grown, blocks):
    tree, constant = grown
    return numpy.full(len(blocks.features), constant) if tree is None else tree.predict(blocks.features).astype(bool)


def left_out(programs, leaves, weight):
    """HBBP's error on the programs of each source, by a tree that was grown without it."""
    errors = []
    for source in sorted({b.source for b in programs}):
        grown = grow([b for b in programs if b.source != source], leaves, weight)
        errors.append(statistics.mean(b.error(chosen(grown, b)) for b in programs if b.source == source))
    return errors


def rows_of(grown):
    """The tree as rows of the table, in the order in which they are reached; nodes whose two ways agree are left out."""
    tree, constant = grown
    if tree is None:
        return [("length", "0", "LBR" if constant else "EBS", "LBR" if constant else "EBS")]
    t, rows = tree.tree_, []

    def leaf(node):
        return "LBR" if bool(tree.classes_[t.value[node][0].argmax()]) else "EBS"

    def same(node):
        if t.children_left[node] < 0:
            return leaf(node)
        left, right = same(t.children_left[node]), same(t.children_right[node])
        return left if left == right else None

    def add(node):
        if same(node):
            return same(node)
        at = len(rows)
        rows.append(None)
        then, other = add(t.children_left[node]), add(t.children_right[node])
        threshold = t.threshold[node]
        rows[at] = (FEATURES[t.feature[node]], f"{threshold:.1f}".removesuffix(".0"), then, other)
        return str(at)

    only = add(0)
    return rows or [("length", "0", only, only)]


def drawing(rows):
    """The tree as SVG: a box a node, its two ways below it."""
    boxes, lines, next_x = [], [], [0]

    def place(at, depth):
        if not at.isdigit():
            x = next_x[0]
            next_x[0] += 1
        else:
            feature, at_most, then, other = rows[int(at)]
            left, right = place(then, depth + 1), place(other, depth + 1)
            x = (left + right) / 2
            lines.extend(((x, depth, left, "yes"), (x, depth, right, "no")))
        boxes.append((x, depth, f"{feature} ≤ {at_most}" if at.isdigit() else at, at.isdigit()))
        return x

    place("0", 0)
    wide, high = 150, 80
    deepest = max(depth for _, depth, _, _ in boxes)
    out = [
        "<!-- The learned rule of docs/guide/mix.md as a tree, written by scripts/hbbp/train.py. -->",
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide * max(next_x[0], 2)} {high * (deepest + 1)}" font-family="sans-serif" font-size="14">',
        "<title>The learned rule of hybrid basic block profiling</title>",
    ]

    def centre(x, depth):
        return wide * (x + 0.5), high * depth + 26

    for x, depth, to, label in lines:
        (x1, y1), (x2, y2) = centre(x, depth), centre(to, depth + 1)
        out.append(f'<line x1="{x1:.0f}" y1="{y1 + 16:.0f}" x2="{x2:.0f}" y2="{y2 - 16:.0f}" stroke="#888"/>')
        out.append(
            f'<text x="{(x1 + x2) / 2:.0f}" y="{(y1 + y2) / 2 + 5:.0f}" text-anchor="middle" fill="#555" stroke="#fff" stroke-width="4" paint-order="stroke">{label}</text>'
        )
    for x, depth, text, inner in boxes:
        cx, cy = centre(x, depth)
        out.append(
            f'<rect x="{cx - 66:.0f}" y="{cy - 16:.0f}" width="132" height="32" rx="{4 if inner else 16}" fill="{"#fff" if inner else "#dde8f4" if text == "LBR" else "#f4e6d4"}" stroke="#333"/>'
        )
        out.append(f'<text x="{cx:.0f}" y="{cy + 5:.0f}" text-anchor="middle" fill="#111">{html.escape(text)}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="small2")
    parser.add_argument("--leaves", type=int, help="not decided, but this many")
    parser.add_argument("--weight", choices=("cost", "executions"), default="cost")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    programs = [Blocks(run) for run in training(arguments.config)]
    print(f"{len(programs)} programs from {len({b.source for b in programs})} sources, {sum(len(b.features) for b in programs)} blocks")
    for name, way in (("EBS", False), ("LBR", True)):
        print(f"  always {name}: {100 * statistics.mean(b.error(way) for b in programs):.3f} %")
    length = FEATURES.index("length")
    print(f"  the paper's rule: {100 * statistics.mean(b.error(b.features[:, length] <= 18) for b in programs):.3f} %")
    print(f"  the better one of each block: {100 * statistics.mean(float(b.cost.min(axis=1).sum()) / b.instructions for b in programs):.3f} %")
    means = {}
    for leaves in LEAVES:
        errors = left_out(programs, leaves, arguments.weight)
        means[leaves] = statistics.mean(errors), statistics.stdev(errors) / len(errors) ** 0.5
        print(f"  {leaves} leaves, each source left out in turn: {100 * means[leaves][0]:.3f} %")
    best = min(means, key=means.get)
    leaves = arguments.leaves or min(n for n in LEAVES if means[n][0] <= sum(means[best]))
    grown = grow(programs, leaves, arguments.weight)
    rows = rows_of(grown)
    if grown[0] is not None:
        print(export_text(grown[0], feature_names=list(FEATURES), show_weights=True).replace("class: False", "EBS").replace("class: True", "LBR"), end="")
        print(
            "  importances: "
            + ", ".join(f"{f} {i:.2f}" for f, i in sorted(zip(FEATURES, grown[0].feature_importances_), key=lambda pair: -pair[1]) if i > 0.005)
        )
    lines = ["\t".join(("learned", str(n), *row)) for n, row in enumerate(rows)]
    print("\n".join(lines))
    if arguments.write:
        kept = [line for line in TABLE.read_text().splitlines() if not line.startswith("learned\t")]
        TABLE.write_text("\n".join(kept + lines) + "\n")
        DRAWING.write_text(drawing(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
