"""The results of a sweep as one table: a row a point, a column a parameter, then a column a result."""
import csv
import io
import os


def rows(points, folder):
    """[{column: value}] of all points that are finished, or failed: with a status, and without results."""
    table = []
    for point in points:
        results, failure = folder.result(point), folder.failure(point)
        if results is not None:
            table.append({**point.parameters, **results})
        elif failure:
            table.append({**point.parameters, "status": failure["status"]})
    return table


def columns(table):
    names = {}
    for row in sorted(table, key=len, reverse=True):  # what one row lacks stands where others have it
        names |= dict.fromkeys(row)
    return list(names)


def text(table):
    out = io.StringIO()
    writer = csv.DictWriter(out, columns(table), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return out.getvalue()


def write(path, content):
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(content, encoding="utf-8")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
