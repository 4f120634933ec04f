"""Command lines of the commands that are Python, with the help, the usage and the errors of those in C (argp's)."""
import argparse
import os
import sys
import textwrap

BAD_INPUT = 2
WIDTH, TEXT = 79, 29  # columns of a line; where the words of an option begin


def wrapped(text, indent=0):
    """Paragraphs, each from an indent on."""
    return "\n".join(textwrap.fill(line, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent) for line in text.split("\n"))


class Parser(argparse.ArgumentParser):
    """An option is add_argument("--NAME", "-N", metavar="WORD", help="..."); operands have a metavar and no help."""

    def __init__(self, name, description, epilog):
        super().__init__(prog=f"tipoff {name}", description=description, epilog=epilog, add_help=False)
        self.add_argument("--help", "-h", "-?", action=Show, help="show this list")
        self.add_argument("--usage", action=Show, help="show the options alone")

    def shown(self):
        """Options that are no secret, by name, those that only show something last."""
        options = [action for action in self._actions if action.option_strings and action.help is not argparse.SUPPRESS]
        return sorted(options, key=lambda action: (isinstance(action, Show), action.option_strings[0]))

    def operands(self):
        named = [action for action in self._actions if not action.option_strings]
        return "".join(f" [{action.metavar}]" if action.nargs == "?" else f" {action.metavar}" for action in named)

    def value(self, action):
        """=WORD, after a long name."""
        if action.nargs == 0:
            return ""
        return f"[={action.metavar}]" if action.nargs == "?" else f"={action.metavar}"

    def format_usage(self):
        words = [f"[{action.option_strings[0]}{self.value(action)}]" for action in self.shown()] + self.operands().split()
        return textwrap.fill(f"Usage: {self.prog} {' '.join(words)}", WIDTH, subsequent_indent=" " * 12, break_on_hyphens=False) + "\n"

    def format_help(self):
        lines = [f"Usage: {self.prog} [OPTION...]{self.operands()}", wrapped(self.description), ""]
        for action in self.shown():
            short = ", ".join(action.option_strings[1:])
            name = f"  {short + ',' if short else '   '} {action.option_strings[0]}{self.value(action)}"
            text = wrapped(action.help, TEXT)
            lines += [name.ljust(TEXT) + text[TEXT:]] if len(name) < TEXT else [name, text]
        return "\n".join([*lines, "", wrapped(self.epilog)]) + "\n"

    def error(self, message):
        print(f"{self.prog}: {message}", file=sys.stderr)
        print(f"Try `{self.prog} --help' or `{self.prog} --usage' for more information.", file=sys.stderr)
        sys.exit(BAD_INPUT)

    def add_jobs(self, more=""):
        self.add_argument("--jobs", "-j", metavar="N", type=int, help=f"processes at once (default: one for each CPU){more}")

    def add_quiet(self, more=""):
        self.add_argument("--quiet", "-q", action="store_true", help=f"do not print progress and summary{more}")

    def parse(self):
        arguments = self.parse_args()
        if arguments.jobs is not None and arguments.jobs < 1:
            self.error(f"--jobs {arguments.jobs}: not a number from 1 on")
        return arguments


class Show(argparse.Action):
    """--help and --usage, which end the process."""

    def __init__(self, option_strings, dest, **more):
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, default=argparse.SUPPRESS, **more)

    def __call__(self, parser, namespace, values, option_string=None):
        parser._print_message(parser.format_usage() if option_string == "--usage" else parser.format_help(), sys.stdout)
        sys.stdout.flush()
        sys.exit(0)


def cpus():
    return len(os.sched_getaffinity(0))
