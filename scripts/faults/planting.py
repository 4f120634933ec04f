"""Puts the rows of a table of faults into a copy of the RTL, where a file `fault` in the folder of the run chooses one."""
import csv
import re
import sys

SELECTOR = """  int fault_sel, fault_file;
  initial begin
    fault_sel = 0;
    fault_file = $fopen("fault", "r");
    if (fault_file != 0) begin
      if ($fscanf(fault_file, "%d", fault_sel) != 1) fault_sel = 0;
      $fclose(fault_file);
    end
  end
"""


def rows(path):
    """Of a table of faults, numbered from 1."""
    with path.open(encoding="utf-8") as file:
        table = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE))
    return [dict(row, number=number, table=path.name) for number, row in enumerate(table, 1)]


def balanced(text, start):
    """End of the parenthesis that opens at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    return None


def expression(text):
    """(start, end) of the expression in a row's text."""
    condition = re.match(r"(else )?if \(", text)
    field = re.match(r"\w+: ", text)
    assignment = re.match(r"(.*?)\s(<=|=)\s(.*);$", text)
    if assignment:
        return assignment.start(3), assignment.end(3)
    if condition:
        return condition.end(), balanced(text, condition.end() - 1)
    if field:
        return field.end(), len(text)
    return 0, len(text)


def place(original, faults):
    """The text that stands for `original` in the copy."""
    condition = re.match(r"(else )?if \(", original)
    spans = {expression(original)}
    if condition:
        spans.add((condition.end(), balanced(original, condition.end() - 1)))
    for start, end in spans:
        head, tail = original[:start], original[end:]
        if all(f["faulty"].startswith(head) and f["faulty"].endswith(tail) or not head for f in faults):
            text = original[start:end]
            for fault in faults:
                changed = fault["faulty"][len(head) : len(fault["faulty"]) - len(tail)] if head else fault["faulty"]
                text = f"((fault_sel == {fault['number']}) ? ({changed}) : ({text}))"
            return head + text + tail
    return None


def apply_faults(table, tree):
    """Puts the rows of a table into the sources of that copy of the tree."""
    by_file = {}
    for row in table:
        by_file.setdefault(row["file"], {}).setdefault(row["original"], []).append(row)
    for name, places in by_file.items():
        path = tree / name
        text = path.read_text(encoding="utf-8")
        for original, faults in places.items():
            changed = place(original, faults)
            if text.count(original) != 1 or changed is None:
                sys.exit(f"{faults[0]['table']}: {name}: '{original}' stands {text.count(original)} times, or is no expression: rewrite the row")
            text = text.replace(original, changed)
        header = re.search(r"^module .*?^\);\n", text, re.M | re.S)
        path.write_text(text[: header.end()] + SELECTOR + text[header.end() :], encoding="utf-8")
