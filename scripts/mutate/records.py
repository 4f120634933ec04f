"""Tables of tests/mutate, each a folder with a file a module, so that what two branches write of different modules merges.

A row: fields by tabs, in the order of the head; lines that begin with # say what the table is.
"""


def read(folder):
    """Rows as lists of fields, in the order of modules and lines."""
    rows = []
    for path in sorted(folder.glob("*.tsv")):
        head = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.startswith("#"):
                continue
            fields = line.split("\t")
            head = head or fields
            if len(fields) != len(head):
                raise SystemExit(f"{path}:{number}: {len(fields)} fields under a head of {len(head)}: mend the row")
            if fields != head:  # the head again where branches have been merged
                rows.append(fields)
    return rows


def write(folder, comment, head, rows):
    """rows: lists of fields, among them `module`. Files without a row go."""
    at, files = head.index("module"), {}
    for row in rows:
        files.setdefault(row[at], []).append(row)
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.tsv"):
        if path.stem not in files:
            path.unlink()
    for module, own in files.items():
        text = "".join("\t".join(row) + "\n" for row in [head, *sorted(own)])
        (folder / f"{module}.tsv").write_text(f"# {comment}\n{text}")
