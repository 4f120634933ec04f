// Bars, shares and headings of text reports.
#include "report/style.h"
#include "base/grouped.h"
#include "profile/event_unit.h"
#include "report/confidence.h"
#include "report/value.h"
#include "report/words.h"
#include "results.h"
#include <stdarg.h>
#include <string.h>

static const struct look {
    const char *block, *letter, *colour;
} looks[] = {
    {"█", "C", "\033[32m"}, {"▓", "S", "\033[31m"}, {"▒", "F", "\033[35m"}, {"░", "D", "\033[34m"}, {"▪", "x", ""},
};

static void piece(FILE *out, const struct report_options *o, unsigned state, unsigned columns) {
    if (columns == 0) return;
    if (o->colour) fputs(looks[state].colour, out);
    while (columns--)
        fputs(o->utf8 ? looks[state].block : looks[state].letter, out);
    if (o->colour) fputs("\033[0m", out);
}

// Piece ends are rounded, not piece lengths: the bar's length is right whatever it is made of.
void style_bar(FILE *out, const struct report_options *o, const uint64_t states[STATE_COUNT + 1], uint64_t full,
               unsigned width) {
    uint64_t sum = 0;
    unsigned drawn = 0;
    for (unsigned state = 0; state <= STATE_COUNT; state++) {
        sum += states[state];
        const double share = full ? (double)sum / (double)full : 0;
        const unsigned end =
            share < 1 ? (unsigned)(share * width + 0.5) : width; // of a file that is wrong it may be more
        piece(out, o, state, end - drawn);
        drawn = end;
    }
    fprintf(out, "%*s", (int)(width - drawn), "");
}

void style_key(FILE *out, const struct report_options *o) {
    for (unsigned state = 0; state < STATE_COUNT; state++) {
        fputs("  ", out);
        piece(out, o, state, 1);
        fprintf(out, " %s", report_state_name(state));
    }
    fputc('\n', out);
}

void style_heading(FILE *out, const struct report_options *o, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs(o->colour ? "\n\033[1m" : "\n", out);
    vfprintf(out, format, arguments);
    fputs(o->colour ? "\033[0m\n" : "\n", out);
    va_end(arguments);
}

void style_share(FILE *out, const struct report_options *o, uint64_t part, uint64_t whole) {
    const double share = percent_of(part, whole);
    const char *colour = !o->colour ? NULL : share >= STYLE_HOT ? "\033[1;31m" : share >= 1 ? "\033[33m" : NULL;
    fprintf(out, "%s%6.1f %%%s", colour ? colour : "", share, colour ? "\033[0m" : "");
}

void style_interval(FILE *out, const struct report_options *o, double half, bool few) {
    fprintf(out, " %s%4.1f%c", o->utf8 ? "±" : "+", half, few ? '?' : ' ');
}

bool style_sampled(const struct run *d) {
    const struct imported *imported = results_imported(samples_results(d->samples));
    return imported && strcmp(imported->format, "perf-data") == 0;
}

const char *style_unit(const struct run *d) {
    return style_sampled(d) && d->profiler ? event_unit(d->profiler) : "cycles";
}

void style_time_heading(FILE *out, const struct report_options *o, const struct run *d, bool estimated, int bar) {
    fputs("   share", out);
    if (estimated) fprintf(out, " %s95 %% ", o->utf8 ? "±" : "+");
    fprintf(out, " %13.40s  %-*s", style_unit(d), bar, "time by state");
}

const char *style_number(uint64_t n, char text[32]) {
    return grouped(text, n);
}

void style_totals(FILE *out, const struct run *d) {
    const double mhz = d->header->clock_mhz;
    char n[32];
    if (style_sampled(d)) {
        const struct samples_taken *taken = results_samples_taken(samples_results(d->samples));
        fprintf(out, "  %s %s", style_number(d->total, n), style_unit(d));
        fprintf(out, ", all of %s samples of `perf record`", style_number(taken ? taken->samples : 0, n));
        return;
    }
    if (d->harts > 1) { // which run at the same time
        fprintf(out, "  %s cycles of %zu harts together", style_number(d->cycles, n), d->harts);
    } else {
        fprintf(out, "  %s cycles (%.3f ms at %.2f GHz)", style_number(d->cycles, n), (double)d->cycles / (1e3 * mhz),
                mhz / 1e3);
    }
    if (!d->instructions) return;
    fprintf(out, ", %s instructions, IPC %.3f", style_number(d->instructions, n),
            d->cycles ? (double)d->instructions / (double)d->cycles : 0);
}

void style_dim(FILE *out, const struct report_options *o, bool on) {
    if (o->colour) fputs(on ? "\033[2m" : "\033[0m", out);
}
