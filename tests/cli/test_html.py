#!/usr/bin/env python3
"""`tipoff report --format html` on the command line: bad input, a page that is missing, outputs that would destroy inputs. What the page
shows: tests/html."""
import json
import shutil
import sys

from cli import ROOT, TIPOFF, check, main, refused, sampled, test, tipoff


@test
def test_formats_are_named(folder):
    path = sampled(folder)
    refused(["report", "--format", "htm", path], "--format htm", "text, csv, json", ", html", lines=0)
    refused(["compare", "--format", "html", path], "--format html", "text, csv, json", lines=0)
    refused(["report", "--format", "html", "--stacks", path], "--stacks")
    for command in ("report", "compare", "diff"):
        _, out, _ = tipoff(command, "--help")
        check((" html" in out) == (command != "compare"), f"{command} --help: {out}")


@test
def test_no_page(folder):
    """A command that lies where no page was built says how to build it, and writes nothing."""
    path, output = sampled(folder), folder / "out.html"
    (folder / "bin").mkdir()
    shutil.copy(TIPOFF, folder / "bin/tipoff")
    refused(["report", "--format", "html", "--output", output, path], f"{folder}/html/page.html", "make html", command=folder / "bin/tipoff")
    check(not output.exists(), "nothing is written")
    (folder / "html").mkdir()
    (folder / "html/page.html").write_text("<p>another page</p>")
    refused(["report", "--format", "html", "--output", output, path], f"{folder}/html/page.html", "make html", command=folder / "bin/tipoff")
    check(not output.exists(), "nothing is written")


@test
def test_output(folder):
    path, output = sampled(folder), folder / "out.html"
    status, out, err = tipoff("report", "--format", "html", "--output", output, path)
    check((status, out, err) == (0, "", ""), f"{status} {out!r} {err!r}")
    again, text, _ = tipoff("report", "--format", "html", path)
    check(again == 0 and text == output.read_text(), "the same to a file and to stdout")
    check(text.startswith("<!doctype html>") and text.endswith("</html>\n"), "a whole page")
    refused(["report", "--format", "html", "--output", path, path], "--output")


@test
def test_truncated(folder):
    path = sampled(folder)
    path.write_bytes(path.read_bytes()[:-200])
    status, out, err = tipoff("report", "--format", "html", path)
    check(status == 0 and '"complete":false' in out and err.count("\n") == 1, f"{status} {err!r}")


@test
def test_profiles_without_samples_in_time(folder):
    """Another profiler's profile does not know when: no timeline, the rest as ever."""
    path = sampled(folder)
    status, out, _ = tipoff("report", "--format", "html", "--profiler", "Oracle", path)
    check(status == 0 and '"timeline":null' in out and '"profiler":"Oracle"' in out, f"{status}")


def data_of(page):
    return json.loads(page.split('<script type="application/json" id="data">')[1].split("</script>")[0])


@test
def test_what_the_text_report_shows(folder):
    """Hot paths, own callers, Computing and what part is shown are those of --format json."""
    path = sampled(folder)
    for filters, shown in (((), False), (("--focus", "main"), True)):
        page = data_of(tipoff("report", "--format", "html", *filters, path)[1])
        report = json.loads(tipoff("report", "--format", "json", *filters, path)[1])
        for key in ("weight", "hot_paths", "own_callers", "computing", "shown", "weight_of_run"):
            check(page.get(key) == report.get(key), f"{filters}: {key}: {page.get(key)} in the page, {report.get(key)}")
        check(page["hot_paths"] and ("shown" in page) == shown, f"{filters}: {sorted(page)}")
    check(page["shown"] == "below main" and page["weight"] < page["weight_of_run"], f"{page['shown']}: {page['weight']}")


@test
def test_no_addresses_of_a_registry(_):
    """The lock file names packages and what they hash to, not where they were fetched from."""
    text = (ROOT / "html/package-lock.json").read_text(encoding="utf-8")
    check('"resolved"' not in text and '"integrity"' in text, "package-lock.json")
    page = (ROOT / "build/html/page.html").read_text(encoding="utf-8")
    check('src="http' not in page and "@import" not in page and len(page) < 1e6, "the page fetches nothing and is small")


if __name__ == "__main__":
    sys.exit(main())
