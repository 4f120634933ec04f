#!/usr/bin/awk -f
# What make's targets are for, read from the comments before their rules: `## NAME: TEXT` of users', `##- NAME: TEXT` of maintainers',
# `##    TEXT` and `##-   TEXT` where the text goes on. Shell and awk alone: make help works before anything is installed.
#
#   awk -f scripts/targets.awk [-v first="NAME..."] Makefile FILE.mk...  both lists, these names in this order first
#   awk -f scripts/targets.awk -v near=WORD Makefile FILE.mk...          names like WORD, for a target that there is not

/^##-? +[a-z0-9-]+: / {
    kind = substr($1, 3)
    name = $2
    sub(/:$/, "", name)
    text = $0
    sub(/^##-? +[a-z0-9-]+: /, "", text)
    names[++n] = name
    kinds[name] = kind
    texts[name] = sprintf("  make %-20s %s\n", name, text)
    next
}
/^##-?   / {
    text = $0
    sub(/^##-? +/, "", text)
    texts[name] = texts[name] sprintf("  %25s %s\n", "", text)
}

function least(a, b) { return a < b ? a : b }

# Insertions, deletions, exchanges and swaps of neighbours that make b of a.
function distance(a, b,    i, j, d, la, lb, same) {
    la = length(a)
    lb = length(b)
    for (i = 0; i <= la; i++) d[i, 0] = i
    for (j = 0; j <= lb; j++) d[0, j] = j
    for (i = 1; i <= la; i++)
        for (j = 1; j <= lb; j++) {
            same = substr(a, i, 1) == substr(b, j, 1)
            d[i, j] = least(d[i - 1, j - 1] + !same, 1 + least(d[i - 1, j], d[i, j - 1]))
            if (i > 1 && j > 1 && substr(a, i, 1) == substr(b, j - 1, 1) && substr(a, i - 1, 1) == substr(b, j, 1)) d[i, j] = least(d[i, j], d[i - 2, j - 2] + 1)
        }
    return d[la, lb]
}

END {
    if (near == "") {
        count = split(first, order, " ")
        for (i = 1; i <= n; i++) order[count + i] = names[i]
        for (i = 1; i <= count + n; i++) {
            lists[kinds[order[i]]] = lists[kinds[order[i]]] texts[order[i]]
            delete texts[order[i]]
        }
        printf "%s\nfor maintainers: what tests, proves and measures, and what writes pages of docs/\n\n%s", lists[""], lists["-"]
        exit
    }
    for (far = 1; far <= 2 && found == ""; far++)
        for (i = 1; i <= n; i++)
            if (!(names[i] in said) && (distance(near, names[i]) == far || far == 2 && length(near) > 2 && (index(names[i], near) || index(near, names[i])))) {
                said[names[i]] = 1
                found = found (found ? " or " : "") names[i]
            }
    print found
}
