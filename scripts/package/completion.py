#!/usr/bin/env python3
"""Writes the completion of `tipoff` for bash and zsh, from what its commands say of themselves (--help).

    scripts/package/completion.py BINARY FOLDER    FOLDER/tipoff.bash and FOLDER/_tipoff
"""
import pathlib
import re
import sys

from commands import commands

FILES = {"FILE", "ELF", "TRACE", "REGIONS", "STATS", "CSV", "HOST[:GUEST]", "NAME=FILE"}
FOLDERS = {"DIR", "FOLDER"}
CONFIGURATION = {"--config", "config"}
BASH = r"""# bash completion of tipoff: made by scripts/package/completion.py from what the commands say of themselves.
_tipoff() {
    local -A options=(
@OPTIONS@
    )
    local -A values=(
@VALUES@
    )
    local -A operands=(
@OPERANDS@
    )
    local -A second=(
@SECOND@
    )
    local names='@NAMES@' current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} kind= i
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$names help --help --version" -- "$current")
        return
    fi
    if [[ $command == help ]]; then
        ((COMP_CWORD > 2)) || mapfile -t COMPREPLY < <(compgen -W "$names" -- "$current")
        return
    fi
    if [[ -n ${second[$command]-} ]]; then
        if ((COMP_CWORD == 2)); then
            mapfile -t COMPREPLY < <(compgen -W "${second[$command]}" -- "$current")
            return
        fi
        command+=" ${COMP_WORDS[2]}"
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} != -- ]] || kind=@file # what follows is the program's
    done
    # readline takes --format=c for three words.
    if [[ -n $kind ]]; then :
    elif [[ $current == = ]]; then
        kind=${values["$command $before"]-${values["$command $before="]-}}
        current=
    elif [[ $before == = ]]; then
        kind=${values["$command ${COMP_WORDS[COMP_CWORD - 2]}"]-${values["$command ${COMP_WORDS[COMP_CWORD - 2]}="]-}}
    elif [[ $before == -* && -n ${values["$command $before"]+there} ]]; then
        kind=${values["$command $before"]}
    elif [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${options[$command]}" -- "$current")
        [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
        return
    else
        kind=${operands[$command]-}
    fi
    case $kind in
        '') ;;
        @configuration) mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" config 2>/dev/null | awk 'NR > 1 { print $1 }')" -- "$current") ;;
        @folder) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
        @file) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        @*) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -X "!*.${kind#@}" -- "$current"; compgen -d -- "$current") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$kind" -- "$current") ;;
    esac
}
complete -F _tipoff tipoff
"""
ZSH = r"""#compdef tipoff
# zsh completion of tipoff: made by scripts/package/completion.py from what the commands say of themselves.
_tipoff_configurations() {
    local -a names=(${(f)"$(_call_program configurations tipoff config 2>/dev/null | awk 'NR > 1 { print $1 }')"})
    compadd -a names
}
_tipoff() {
    local -a names=(
@NAMES@
    )
    if ((CURRENT == 2)); then
        _describe command names
        compadd help -- --help --version
        return
    fi
    if [[ $words[2] == help ]]; then
        ((CURRENT > 3)) || _describe command names
        return
    fi
    local -A second=(
@SECOND@
    )
    local command=$words[2]
    shift words
    ((CURRENT--))
    if [[ -n ${second[$command]} ]]; then
        if ((CURRENT == 2)); then
            compadd ${=second[$command]}
            return
        fi
        command+=" $words[2]"
        shift words
        ((CURRENT--))
    fi
    case $command in
@CASES@
    esac
}
_tipoff "$@"
"""


def kind_of(name, value, values):
    """What completes a value: words, @file, @folder, @configuration, or nothing."""
    if name in CONFIGURATION:
        return "@configuration"
    if values:
        return " ".join(values)
    return "@file" if value in FILES else "@folder" if value in FOLDERS else ""


def operand_of(command):
    if command.words == ["config"]:
        return "@configuration"
    if ending := re.search(r"\w\.([a-z]+)", command.operands):
        return "@" + ending[1]
    if words := re.fullmatch(r"[a-z]+(?:\|[a-z]+)+", command.operands):
        return words[0].replace("|", " ")
    return "@file" if command.operands else ""


def split(found):
    """The commands that run, and the second words of those that need one, a line each."""
    leaves, second = [command for command in found if command.options], {}
    for command in leaves:
        if len(command.words) == 2:
            second.setdefault(command.words[0], []).append(command.words[1])
    return leaves, "\n".join(f"        ['{name}']='{' '.join(words)}'" for name, words in second.items())


def bash(found):
    leaves, second = split(found)
    options, values, operands = [], [], []
    for command in leaves:
        words = " ".join(command.words)
        names = [name + ("=" if option.value and not option.optional and name.startswith("--") else "") for option in command.options for name in option.names]
        options.append(f"        ['{words}']='{' '.join(names)}'")
        operands.append(f"        ['{words}']='{operand_of(command)}'")
        for option in command.options:
            kind = kind_of(option.long, option.value, option.values)
            if option.value:
                values += [f"        ['{words} {name}{'=' if option.optional else ''}']='{kind}'" for name in option.names]
    names = " ".join(command.words[0] for command in found if len(command.words) == 1)
    parts = {"@OPTIONS@": "\n".join(options), "@VALUES@": "\n".join(values), "@OPERANDS@": "\n".join(operands), "@SECOND@": second, "@NAMES@": names}
    return filled(BASH, parts)


def filled(text, parts):
    for mark, part in parts.items():
        text = text.replace(mark, part)
    return text


def quoted(text):
    return text.replace("'", "'\\''")


def plain(text):
    """An option's text in one line, as _arguments takes it."""
    text = re.split(r"; | \(default", text)[0]
    return re.sub(r"([][:\\])", r"\\\1", text if len(text) <= 80 else text[:77] + "...")


def action(kind):
    if kind.startswith("@"):
        special = {"@configuration": "_tipoff_configurations", "@folder": "_files -/", "@file": "_files"}
        return special.get(kind, f'_files -g "*.{kind[1:]}"')
    return f"({kind})" if kind else " "


def specs(command):
    for option in command.options:
        names = [name for name in option.names if name != "-?"]
        value = re.sub(r"([:\\])", r"\\\1", option.value)
        for name in names:
            argument = ""
            if option.value:
                argument = f"{'::' if option.optional else ':'}{value}:{action(kind_of(option.long, option.value, option.values))}"
            sign = "" if not option.value else "=-" if option.optional else "=" if name.startswith("--") else "+"
            several = "*" if "may be repeated" in option.text else f"({' '.join(names)})" if len(names) > 1 else ""
            yield f"{several}{name}{sign}[{plain(option.text)}]{argument}"
    if kind := operand_of(command):
        yield f"*:{'file' if kind.startswith('@') else 'word'}:{action(kind)}"


def zsh(found):
    leaves, second = split(found)
    cases = []
    for command in leaves:
        rows = " \\\n".join(f"            '{quoted(spec)}'" for spec in specs(command))
        cases.append(f"        '{' '.join(command.words)}') _arguments -S \\\n{rows} ;;")
    names = "\n".join(f"        '{command.words[0]}:{quoted(command.text)}'" for command in found if len(command.words) == 1)
    return filled(ZSH, {"@NAMES@": names, "@SECOND@": second, "@CASES@": "\n".join(cases)})


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    found, folder = commands(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not found:
        sys.exit(f"completion.py: {sys.argv[1]}: lists no commands: build it first (make build)")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tipoff.bash").write_text(bash(found), encoding="utf-8")
    (folder / "_tipoff").write_text(zsh(found), encoding="utf-8")


if __name__ == "__main__":
    main()
