// The lines of a run that goes on: cycles, speed, IPC, instructions done, time left.
#include "harness/progress.h"
#include "base/grouped.h"
#include <math.h>
#include <string.h>

enum {
    FIRST = 1,
    LONG = 10,
    MINUTE = 60
}; // seconds: until the length is asked on a terminal; until it is asked elsewhere

// Some time to come: two digits are more than is known.
static void put_time(char *out, size_t size, double seconds) {
    if (seconds < 90) {
        snprintf(out, size, "%.0f s", ceil(seconds - 1e-3));
    } else if (seconds < 90 * MINUTE) {
        snprintf(out, size, "%.0f min", seconds / MINUTE);
    } else {
        snprintf(out, size, "%.1f h", seconds / (60 * MINUTE));
    }
}

// A number of instructions that is nearly so.
static void put_about(char *out, size_t size, uint64_t count) {
    if (count < 100000) {
        char text[GROUPED_TEXT];
        snprintf(out, size, "%s", grouped(text, count));
    } else if (count < UINT64_C(10000000000)) {
        snprintf(out, size, "%.1f M", (double)count / 1e6);
    } else {
        snprintf(out, size, "%.1f G", (double)count / 1e9);
    }
}

// What is done of the run, 0 to 1; NAN: unknown. By what comes first.
static double part_done(const struct progress *p, uint64_t cycles, uint64_t instructions) {
    double part = NAN;
    if (p->total && !p->more && instructions < p->total) part = (double)instructions / (double)p->total;
    if (p->max_cycles != UINT64_MAX && cycles < p->max_cycles)
        part = fmax(part, (double)cycles / (double)p->max_cycles);
    return part;
}

static double time_left(const struct progress *p, double seconds, uint64_t cycles, uint64_t instructions) {
    const double part = part_done(p, cycles, instructions);
    return part > 0 ? seconds * (1 - part) / part : NAN;
}

static void announce(struct progress *p, double seconds, uint64_t cycles, uint64_t instructions) {
    char count[32], time[32];
    p->asked = true;
    if (p->length) p->total = p->length(p->context, &p->more);
    if (!p->total || !instructions) return;
    put_about(count, sizeof count, p->total);
    const double whole = p->more ? seconds * (double)p->total / (double)instructions
                                 : seconds + time_left(p, seconds, cycles, instructions);
    if (!(whole >= (p->terminal ? LONG : MINUTE))) return;
    put_time(time, sizeof time, whole);
    progress_clear(p);
    fprintf(p->out, p->more ? "more than %s instructions, more than %s\n" : "%s instructions, about %s\n", count, time);
}

static void put_line(const struct progress *p, double seconds, uint64_t cycles, uint64_t instructions) {
    char count[GROUPED_TEXT], about[32], time[32];
    const double left = time_left(p, seconds, cycles, instructions);
    fprintf(p->out, "%s cycles, %.1f kHz, IPC %.3f, ", grouped(count, cycles),
            seconds > 0 ? (double)cycles / seconds / 1e3 : 0, cycles ? (double)instructions / (double)cycles : 0);
    fprintf(p->out, "%s", grouped(count, instructions));
    if (p->total) {
        put_about(about, sizeof about, p->total);
        fprintf(p->out, " of %s%s", p->more ? "more than " : "about ", about);
    }
    fputs(" instructions", p->out);
    if (left >= 0) {
        put_time(time, sizeof time, left);
        fprintf(p->out, ", %s left", time);
    }
}

void progress_clear(const struct progress *p) {
    if (p->out && p->terminal) fputs("\r\033[K", p->out);
}

void progress_look(struct progress *p, double seconds, uint64_t cycles, uint64_t instructions) {
    if (!p->out) return;
    if (!p->asked && seconds >= (p->terminal ? FIRST : LONG)) announce(p, seconds, cycles, instructions);
    if (p->terminal && seconds - p->shown > 0.5) {
        progress_clear(p);
        put_line(p, seconds, cycles, instructions);
        fflush(p->out);
        p->shown = seconds;
    } else if (!p->terminal && seconds - p->printed >= MINUTE) {
        fprintf(p->out, "after %.0f min: ", seconds / MINUTE);
        put_line(p, seconds, cycles, instructions);
        fputc('\n', p->out);
        fflush(p->out);
        p->printed = seconds;
    }
}
