// A test's states, one a line or row: whether each is allowed, how often it was seen; and the verdict.
#include "litmus/report.h"
#include "report/csv.h"
#include "report/json_text.h"
#include <inttypes.h>
#include <stdlib.h>

// All states, allowed or seen, sorted.
struct rows {
    struct litmus_states *all;
    uint64_t *seen; // of each; NULL: the test has not run
    size_t count;
};

static bool is_allowed(const struct litmus_result *r, const struct litmus_states *of, size_t state) {
    return litmus_states_find(r->allowed, litmus_states_values(of, state)) != LITMUS_NO_STATE;
}

uint64_t litmus_forbidden(const struct litmus_result *r, size_t *state) {
    uint64_t count = 0;
    for (size_t i = 0; r->seen && i < litmus_states_count(r->seen->states); i++) {
        if (is_allowed(r, r->seen->states, i)) continue;
        count += r->seen->counts[i];
        *state = i;
    }
    return count;
}

static bool add_all(struct litmus_states *to, const struct litmus_states *from) {
    for (size_t i = 0; i < litmus_states_count(from); i++)
        if (litmus_states_put(to, litmus_states_values(from, i)) == LITMUS_NO_STATE) return false;
    return true;
}

static bool make_rows(const struct litmus_result *r, struct rows *rows) {
    *rows = (struct rows){.all = litmus_states_create(r->test)};
    if (!rows->all || !add_all(rows->all, r->allowed) || (r->seen && !add_all(rows->all, r->seen->states)))
        return false;
    litmus_states_sort(rows->all);
    rows->count = litmus_states_count(rows->all);
    if (!r->seen) return true;
    rows->seen = calloc(rows->count + 1, sizeof *rows->seen);
    for (size_t i = 0; rows->seen && i < rows->count; i++) {
        const size_t state = litmus_states_find(r->seen->states, litmus_states_values(rows->all, i));
        if (state != LITMUS_NO_STATE) rows->seen[i] = r->seen->counts[state];
    }
    return rows->seen != NULL;
}

static void print_states(const struct rows *rows, const struct litmus_result *r, bool seen, bool allowed,
                         const char *head, FILE *out) {
    for (size_t i = 0; i < rows->count; i++) {
        if ((rows->seen && rows->seen[i] > 0) != seen || is_allowed(r, rows->all, i) != allowed) continue;
        fputs(head, out);
        litmus_states_print(rows->all, i, out);
        fputc('\n', out);
    }
}

static void print_histogram(const struct rows *rows, const struct litmus_result *r, FILE *out) {
    fprintf(out, "Histogram (%zu states)\n", litmus_states_count(r->seen->states));
    for (size_t i = 0; i < rows->count; i++) {
        if (!rows->seen[i]) continue;
        fprintf(out, "%-8" PRIu64 "%c>", rows->seen[i], litmus_states_satisfies(rows->all, i) ? '*' : ':');
        litmus_states_print(rows->all, i, out);
        fputc('\n', out);
    }
}

static void print_summary(const struct rows *rows, const struct litmus_result *r, FILE *out) {
    size_t unused, seen = 0;
    for (size_t i = 0; i < rows->count; i++)
        seen += rows->seen[i] && is_allowed(r, rows->all, i);
    const size_t all = litmus_states_count(r->seen->states);
    print_states(rows, r, false, true, "Unseen ", out);
    print_states(rows, r, true, false, "Forbidden ", out);
    fprintf(out, "Allowed %zu, seen %zu of them; forbidden %zu", litmus_states_count(r->allowed), seen, all - seen);
    if (all > seen) fprintf(out, ", in %" PRIu64 " iterations", litmus_forbidden(r, &unused));
    fputc('\n', out);
    if (r->seen->filtered) fprintf(out, "Filtered %" PRIu64 " iterations\n", r->seen->filtered);
    if (r->lowered)
        fprintf(out,
                "Lowered %d loads with .aq and stores with .rl, which RV64GC has not, to fences: all this belongs to "
                "that test\n",
                r->lowered);
}

static void text(const struct litmus_result *r, const struct rows *rows, FILE *out) {
    const struct litmus_verdict v = litmus_judge(rows->all, rows->seen);
    fprintf(out, "Test %s %s\n", litmus_name(r->test), litmus_kind(r->test));
    if (r->seen) {
        print_histogram(rows, r, out);
    } else {
        fprintf(out, "States %zu\n", rows->count);
        print_states(rows, r, false, true, "", out);
    }
    fprintf(out,
            "%s\nWitnesses\nPositive: %" PRIu64 " Negative: %" PRIu64 "\nCondition %s%s\nObservation %s %s %" PRIu64
            " %" PRIu64 "\n",
            v.holds ? "Ok" : "No", v.positive, v.negative, litmus_condition(r->test),
            !r->seen  ? ""
            : v.holds ? " is validated"
                      : " is not validated",
            litmus_name(r->test), litmus_observation(&v), v.positive, v.negative);
    if (r->seen) print_summary(rows, r, out);
    fputc('\n', out);
}

static char *state_text(const struct litmus_states *s, size_t state) {
    char *to = NULL;
    size_t bytes;
    FILE *out = open_memstream(&to, &bytes);
    if (!out) return NULL;
    litmus_states_print(s, state, out);
    fclose(out);
    return to;
}

static void csv(const struct litmus_result *r, const struct rows *rows, size_t number, FILE *out) {
    if (!number) fputs("file,test,state,allowed,seen,witness\n", out);
    for (size_t i = 0; i < rows->count; i++) {
        char *const state = state_text(rows->all, i);
        csv_text(out, r->path);
        fputc(',', out);
        csv_text(out, litmus_name(r->test));
        fputc(',', out);
        csv_text(out, state ? state : "");
        fprintf(out, ",%d,", is_allowed(r, rows->all, i));
        if (rows->seen) fprintf(out, "%" PRIu64, rows->seen[i]);
        fprintf(out, ",%d\n", litmus_states_satisfies(rows->all, i));
        free(state);
    }
}

static void json(const struct litmus_result *r, const struct rows *rows, size_t number, FILE *out) {
    const struct litmus_verdict v = litmus_judge(rows->all, rows->seen);
    size_t unused;
    fputs(number ? ",\n{\"file\":" : "[\n{\"file\":", out);
    json_text_string(out, r->path);
    fputs(",\"test\":", out);
    json_text_string(out, litmus_name(r->test));
    fprintf(out, ",\"threads\":%u,\"kind\":\"%s\",\"condition\":", litmus_threads(r->test), litmus_kind(r->test));
    json_text_string(out, litmus_condition(r->test));
    fprintf(out, ",\"holds\":%s,\"observation\":\"%s\"", v.holds ? "true" : "false", litmus_observation(&v));
    if (r->seen)
        fprintf(out, ",\"forbidden\":%" PRIu64 ",\"filtered\":%" PRIu64 ",\"lowered\":%d", litmus_forbidden(r, &unused),
                r->seen->filtered, r->lowered);
    fputs(",\"states\":[", out);
    for (size_t i = 0; i < rows->count; i++) {
        char *const state = state_text(rows->all, i);
        fputs(i ? ",{\"state\":" : "{\"state\":", out);
        json_text_string(out, state ? state : "");
        fprintf(out, ",\"allowed\":%s,", is_allowed(r, rows->all, i) ? "true" : "false");
        if (rows->seen) fprintf(out, "\"seen\":%" PRIu64 ",", rows->seen[i]);
        fprintf(out, "\"witness\":%s}", litmus_states_satisfies(rows->all, i) ? "true" : "false");
        free(state);
    }
    fputs("]}", out);
}

bool litmus_report(const struct litmus_result *r, enum litmus_format format, size_t number, FILE *out) {
    struct rows rows;
    const bool good = make_rows(r, &rows);
    if (good && format == LITMUS_CSV)
        csv(r, &rows, number, out);
    else if (good && format == LITMUS_JSON)
        json(r, &rows, number, out);
    else if (good)
        text(r, &rows, out);
    litmus_states_destroy(rows.all);
    free(rows.seen);
    return good;
}

void litmus_report_end(enum litmus_format format, size_t count, FILE *out) {
    if (format == LITMUS_JSON && count) fputs("\n]\n", out);
}
