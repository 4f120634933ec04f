"""How a mutant is called: by its line and what stands there."""
import difflib
import pathlib
import re


def place(module, mutant):
    """How the table and the result name a mutant: line, what stands there, and the change."""
    return f"{module.path}:{module.line(mutant)}", normal(module.text[mutant.start : mutant.end]), normal(mutant.text), mutant.what


def normal(text):
    return re.sub(r"\s+", " ", text).strip()


def source_line(module, mutant):
    first = module.text.rfind("\n", 0, mutant.start) + 1
    return normal(module.text[first : module.text.find("\n", mutant.start)])


def column(module, mutant):
    """Position in its line, white space taken together: distinguishes what occurs twice there."""
    first = module.text.rfind("\n", 0, mutant.start) + 1
    return len(normal(module.text[first : mutant.start]))


def show(module, mutant):
    changed = module.applied(mutant)
    print(
        "".join(difflib.unified_diff(module.text.splitlines(True), changed.splitlines(True), module.path, f"mutant {mutant.number}: {mutant.what}", n=2)),
        end="",
    )


def key(module, mutant):
    """What the tables know a mutant by: moves with its line. Where the file has such a line before, the column names it."""
    line = source_line(module, mutant)
    copies = sum(normal(other) == line for other in module.text[: mutant.start].split("\n")[:-1])
    return pathlib.Path(module.path).stem, line, f"{column(module, mutant)}{f' again {copies}' if copies else ''}", normal(mutant.text)
