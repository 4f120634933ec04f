# Sourced: runs a command that compiles for minutes, with a line a minute that says how many objects are done.
#
#   compiles NAME FOLDER OBJECTS LOG COMMAND...
#
# NAME begins each line. FOLDER is where the objects come to lie, OBJECTS how many there are at the end, about (0: not known).
# The command's output goes to LOG, its status is the function's. PROGRESS_SECONDS: another distance of the lines.
compiles() {
    local name=$1 folder=$2 objects=$3 log=$4 ticker status=0
    shift 4
    # The command stays in the foreground: what runs in the background of a script takes no Ctrl-C.
    ticks "$name" "$folder" "$objects" < /dev/null &
    ticker=$!
    trap 'kill "$ticker" 2> /dev/null' EXIT
    "$@" >> "$log" 2>&1 < /dev/null || status=$?
    kill "$ticker" 2> /dev/null || true
    wait "$ticker" 2> /dev/null || true
    trap - EXIT
    return $status
}

ticks() {
    local seconds=${PROGRESS_SECONDS:-60} began=$SECONDS done of=
    [ "$3" = 0 ] || of=" of some $3"
    # The sleep holds no pipe of ours open when it outlives us.
    while sleep "$seconds" > /dev/null 2>&1 && kill -0 $$ 2> /dev/null; do
        done=$(find "$2" -name '*.o' 2> /dev/null | wc -l)
        echo "$1: $done objects$of, $(((SECONDS - began + 30) / 60)) min"
    done
}
