# Work for mawk: counts words and letters, lengths of lines, and prints what is most frequent.
{
    for (i = 1; i <= NF; i++) { word = $i; gsub(/[.,]/, "", word); count[word]++; letters += length(word) }
    if (length($0) > longest) longest = length($0)
    if ($0 ~ /[aeiou][^aeiou ]+[aeiou] [a-m]/) matching++
    first[substr($1, 1, 2)] = first[substr($1, 1, 2)] + NR
}
END {
    print NR, letters, longest, matching
    for (w in count) if (count[w] > 40) printf "%s %d %.6f\n", w, count[w], log(count[w])
    for (f in first) total += first[f] * length(f)
    print total
}
