// What of a run is shown: --mode, --process, --focus and --ignore.
#include "cli/report_filters.h"
#include "report/filter.h"
#include <errno.h>
#include <string.h>

enum { OPT_MODE = 768, OPT_PROCESS, OPT_FOCUS, OPT_IGNORE };

static const struct argp_option options[] = {
    {"mode", OPT_MODE, "MODES", 0, "show these modes only: user, supervisor (or kernel), machine; several by commas",
     4},
    {"process", OPT_PROCESS, "NAME", 0, "show this process only, as `report` names it under \"By mode and process\"",
     4},
    {"focus", OPT_FOCUS, "FUNCTION", 0, "show only this function and what it calls; may be repeated: any of them", 4},
    {"ignore", OPT_IGNORE, "FUNCTION", 0, "leave out this function and what it calls; may be repeated: all of them", 4},
    {0},
};

static bool word_is(const char *text, size_t length, const char *word) {
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static void set_modes(struct report_filter *f, const char *text, const struct argp_state *state) {
    static const struct {
        const char *name;
        enum place_mode mode;
    } modes[] = {
        {"user", MODE_USER}, {"supervisor", MODE_SUPERVISOR}, {"kernel", MODE_SUPERVISOR}, {"machine", MODE_MACHINE}};
    for (const char *word = text;; word++) {
        const size_t length = strcspn(word, ",");
        size_t i = 0;
        while (i < sizeof modes / sizeof *modes && !word_is(word, length, modes[i].name))
            i++;
        if (i == sizeof modes / sizeof *modes) {
            argp_error(state, "--mode %s: use user, supervisor (or kernel), machine, or several by commas", text);
            return;
        }
        f->modes |= 1u << modes[i].mode;
        word += length;
        if (!*word) return;
    }
}

static void add_function(const char **list, size_t *count, const char *name, const char *option,
                         const struct argp_state *state) {
    if (*count == FILTER_FUNCTIONS) {
        argp_error(state, "--%s: at most %d functions", option, FILTER_FUNCTIONS);
        return;
    }
    list[(*count)++] = name;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct report_filter *f = state->input;
    switch (key) {
    case OPT_MODE: set_modes(f, arg, state); return 0;
    case OPT_PROCESS: f->process = arg; return 0;
    case OPT_FOCUS: add_function(f->focus, &f->focus_count, arg, "focus", state); return 0;
    case OPT_IGNORE: add_function(f->ignore, &f->ignore_count, arg, "ignore", state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp report_filters_argp = {.options = options, .parser = parse};
