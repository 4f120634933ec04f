// A test's states, one a line or row, and the verdict.
#include "litmus/report.h"
#include "report/csv.h"
#include "report/json_text.h"
#include <inttypes.h>
#include <stdlib.h>

static void text(const struct litmus_result *r, FILE *out) {
    const size_t count = litmus_states_count(r->allowed);
    const struct litmus_verdict v = litmus_judge(r->allowed, NULL);
    fprintf(out, "Test %s %s\nStates %zu\n", litmus_name(r->test), litmus_kind(r->test), count);
    for (size_t i = 0; i < count; i++) {
        litmus_states_print(r->allowed, i, out);
        fputc('\n', out);
    }
    fprintf(out,
            "%s\nWitnesses\nPositive: %" PRIu64 " Negative: %" PRIu64 "\nCondition %s\nObservation %s %s %" PRIu64
            " %" PRIu64 "\n\n",
            v.holds ? "Ok" : "No", v.positive, v.negative, litmus_condition(r->test), litmus_name(r->test),
            litmus_observation(&v), v.positive, v.negative);
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

static void csv(const struct litmus_result *r, size_t number, FILE *out) {
    if (!number) fputs("file,test,state,witness\n", out);
    for (size_t i = 0; i < litmus_states_count(r->allowed); i++) {
        char *const state = state_text(r->allowed, i);
        csv_text(out, r->path);
        fputc(',', out);
        csv_text(out, litmus_name(r->test));
        fputc(',', out);
        csv_text(out, state ? state : "");
        fprintf(out, ",%d\n", litmus_states_satisfies(r->allowed, i));
        free(state);
    }
}

static void json(const struct litmus_result *r, size_t number, FILE *out) {
    const struct litmus_verdict v = litmus_judge(r->allowed, NULL);
    fputs(number ? ",\n{\"file\":" : "[\n{\"file\":", out);
    json_text_string(out, r->path);
    fputs(",\"test\":", out);
    json_text_string(out, litmus_name(r->test));
    fprintf(out, ",\"threads\":%u,\"kind\":\"%s\",\"condition\":", litmus_threads(r->test), litmus_kind(r->test));
    json_text_string(out, litmus_condition(r->test));
    fprintf(out, ",\"holds\":%s,\"observation\":\"%s\",\"states\":[", v.holds ? "true" : "false",
            litmus_observation(&v));
    for (size_t i = 0; i < litmus_states_count(r->allowed); i++) {
        char *const state = state_text(r->allowed, i);
        fputs(i ? ",{\"state\":" : "{\"state\":", out);
        json_text_string(out, state ? state : "");
        fprintf(out, ",\"witness\":%s}", litmus_states_satisfies(r->allowed, i) ? "true" : "false");
        free(state);
    }
    fputs("]}", out);
}

void litmus_report(const struct litmus_result *r, enum litmus_format format, size_t number, FILE *out) {
    switch (format) {
    case LITMUS_CSV: csv(r, number, out); break;
    case LITMUS_JSON: json(r, number, out); break;
    default: text(r, out);
    }
}

void litmus_report_end(enum litmus_format format, size_t count, FILE *out) {
    if (format == LITMUS_JSON && count) fputs("\n]\n", out);
}
