"""Rows of a tab-separated table, and what each of them may say; a fault ends with the one line to print."""


class TableError(Exception):
    """A fault in a table or a configuration, as the one line to print."""


def read_table(path):
    """Rows of a tab-separated table as dicts with the key '_line'. The first line that is no comment names the columns."""
    header, rows = None, []
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}; give the folder that holds the tables with --tables") from error
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: byte {error.start} is not UTF-8; save it as UTF-8") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if header is None:
            header = cells
            continue
        if len(cells) != len(header):
            raise TableError(f"{path}:{number}: {len(cells)} cells where the header names {len(header)}; separate cells by one tab")
        if any(not cell.strip() for cell in cells):
            raise TableError(f"{path}:{number}: an empty cell; write - for none")
        rows.append(dict(zip(header, cells), _line=number))
    if not rows:
        raise TableError(f"{path}: no rows")
    return rows


def refuse_duplicates(path, rows, column, called=None):
    """called: what the table calls the column, where `column` is made of it."""
    seen = {}
    for row in rows:
        if row[column] in seen:
            raise TableError(f"{path}:{row['_line']}: {called or column} {row[column]} stands on line {seen[row[column]]} already; remove one")
        seen[row[column]] = row["_line"]


def number(path, row, column, bits=64):
    try:
        value = int(row[column], 0)
    except ValueError as error:
        raise TableError(f"{path}:{row['_line']}: {column} is no number: {row[column]}") from error
    if not 0 <= value < 1 << bits:
        raise TableError(f"{path}:{row['_line']}: {column} {row[column]} does not fit {bits} bits")
    return value


def one_of(path, row, column, legal):
    if row[column] not in legal:
        raise TableError(f"{path}:{row['_line']}: {column} {row[column]} is none of {', '.join(legal)}")
    return row[column]
