#!/usr/bin/env bash
# Installs the Debian packages that a target of make needs and this machine lacks: scripts/deps.tsv has them by target.
#
#   scripts/deps.sh TARGET...          install what is missing (as root, or through sudo); silent where nothing is
#   scripts/deps.sh --check TARGET...  say what is missing; status 1 if anything is
#   scripts/deps.sh --list             the table
#
# TARGET: of make, or `all`. Needs nothing that Debian's base system has not. What apt-get says goes to build/deps.log.
set -euo pipefail
cd "$(dirname "$0")/.."
table=scripts/deps.tsv
usage='scripts/deps.sh [--check] TARGET..., or --list'

check=
case "${1:-}" in
    --list)
        [ $# = 1 ] || { echo "scripts/deps.sh: --list stands alone: $usage" >&2; exit 2; }
        exec awk -F'\t' '!/^#/ && NF { printf "%-30s  %-36s  %s\n", $1, $4, $2 }' "$table"
        ;;
    --help)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    --check) check=1; shift ;;
    -*) echo "scripts/deps.sh: no option $1: $usage" >&2; exit 2 ;;
esac
[ $# -gt 0 ] || { echo "scripts/deps.sh: which target? $usage" >&2; exit 2; }

# PACKAGE<tab>WHY of all rows of the targets and of those that they include; on a target that no row names: ?TARGET and those there are.
rows=$(awk -F'\t' -v wanted="$*" '
    /^#/ || $1 == "package" { next }
    NF != 4 { print "?table " FNR; failed = 1; exit }
    { package[++n] = $1; why[n] = $4; targets[n] = " " $2 " "; count = split($2, names, " "); for (i = 1; i <= count; i++) known[names[i]] = 1 }
    END {
        if (failed) exit
        count = split(wanted, open, " ")
        for (i = 1; i <= count; i++) if (!(open[i] in known) && open[i] != "all") { print "?" open[i]; for (name in known) print name | "sort"; exit }
        while (count) {
            target = open[count--]
            if (target in seen) continue
            seen[target] = 1
            for (i = 1; i <= n; i++) if (target == "all" || index(targets[i], " " target " ")) {
                if (package[i] ~ /^@/) open[++count] = substr(package[i], 2)
                else taken[i] = 1
            }
        }
        for (i = 1; i <= n; i++) if (i in taken) print package[i] "\t" why[i]
    }' "$table")
case "$rows" in
    '?table '*) echo "scripts/deps.sh: $table, line ${rows#?table }: not four columns" >&2; exit 2 ;;
    '?'*)
        target=${rows%%$'\n'*}
        echo "scripts/deps.sh: no target ${target#?}; there are: all" ${rows#*$'\n'} >&2
        exit 2
        ;;
esac

command -v dpkg-query > /dev/null || {
    echo "scripts/deps.sh: no dpkg-query here, so this is no Debian; $* needs, by Debian's names:" $(cut -f1 <<< "$rows") >&2
    exit 1
}
# One call for all of them; it fails where a package is unknown, and reports the others.
there=" $(dpkg-query -W -f '${db:Status-Status}/${Package} ' $(cut -f1 <<< "$rows") 2> /dev/null || true)"
missing=() list=
while IFS=$'\t' read -r package why; do
    case "$there" in *" installed/$package "*) continue ;; esac
    case "$package" in # from elsewhere they are as good
        nodejs) ! command -v node > /dev/null || continue ;;
        npm) ! command -v npm > /dev/null || continue ;;
    esac
    missing+=("$package")
    list+="${list:+, }$package ($why)"
done <<< "$rows"
[ ${#missing[@]} -gt 0 ] || exit 0

install="apt-get install --no-install-recommends ${missing[*]}"
if [ -n "$check" ]; then
    echo "make $*: missing: $list; $install"
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null || { echo "scripts/deps.sh: make $* lacks packages, and here is no sudo: run as root: $install" >&2; exit 1; }
    as_root=(sudo)
fi
mkdir -p build
log=build/deps.log
options=(-o DPkg::Lock::Timeout=600 -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
failed() {
    if grep -qE 'Temporary failure|Could not (resolve|connect)|Network is unreachable|Failed to fetch|Unable to (locate|fetch)' "$log"; then
        echo "scripts/deps.sh: make $targets lacks ${missing[*]}, and apt-get cannot fetch them: check the network, and Debian 12 in apt's sources ($log)" >&2
    else
        echo "scripts/deps.sh: make $targets lacks ${missing[*]}, and apt-get failed: the end of $log: $(tail -n 1 "$log")" >&2
    fi
    exit 1
}
targets=$*
"${as_root[@]}" apt-get "${options[@]}" update -qq > "$log" 2>&1 || failed
size=$(LC_ALL=C apt-get install --no-install-recommends --assume-no "${missing[@]}" 2>> "$log" |
    awk '/newly installed/ { n = $3 } /^Need to get/ { load = $4 " " $5 } /additional disk space/ { disk = $4 " " $5 }
         END { if (n) printf "%s packages, %s to load%s", n, load, disk ? ", " disk " on disk" : "" }') || true
# Where no list could be fetched nothing is announced: what fails then is the one line.
grep -qE 'Temporary failure|Could not (resolve|connect)|Failed to fetch' "$log" || echo "make $*: installs $list${size:+: $size}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install -y -qq --no-install-recommends "${missing[@]}" >> "$log" 2>&1 < /dev/null || failed
