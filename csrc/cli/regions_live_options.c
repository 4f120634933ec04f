// The options of tipoff regions live.
#include "cli/regions_live_options.h"
#include "base/cpus.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include <stdlib.h>
#include <string.h>

enum {
    OPT_METHOD = 256,
    OPT_ON,
    OPT_CONFIG,
    OPT_TABLE,
    OPT_MIN,
    OPT_MAX,
    OPT_THETA,
    OPT_DEPTH,
    OPT_DISTANCES,
    OPT_WARMUP,
    OPT_FULL,
    OPT_REFERENCE,
    OPT_FORMAT
};
// A 200th of the thesis's 20 and 50 million (table 5.2), for programs that are shorter by as much.
enum { LEAST = 100000, MOST = 250000, MOST_DEPTH = 4096, SKIP = 9, MOST_SKIP = 1000000, MOST_JOBS = 1024 };
static const char *const format_names[PACSIM_FORMATS] = {PACSIM_FORMAT_NAMES};
const char *const live_warmup_names[LIVE_WARMUPS] = {LIVE_WARMUP_NAMES};
const char *const live_method_names[PACSIM_METHODS] = {"pacsim", "time-based", "smarts"};
const char *const live_on_names[LIVE_ONS] = {"gus", "rtl"};

static const char about[] =
    "Simulate a long program by samples that are chosen while it goes on, without a look at it before "
    "(Pac-Sim).\vThe program runs on the instruction-set simulator; what it prints is not shown. It is cut where "
    "loops begin; each region is simulated in detail, or fast-forwarded where one like it is expected that was "
    "simulated already, whose cycles then stand for it. Nothing is printed before the end.\n"
    "Exit status: 0; 124 when --max-insns ran out; 2 on bad usage or bad input; 4 when the output could not be "
    "written; 128 and the signal's number when a signal ended it: it reports what was done until then.";

static const struct argp_option options[] = {
    {"method", OPT_METHOD, "pacsim|time-based[:A:B]|smarts[:A:B]", 0,
     "what decides which regions are simulated in detail (default: pacsim). The others: one interval of A "
     "instructions, "
     "then B that are not (default: --max, 9), which take what the one before them took (time-based), or the average "
     "of all (smarts)",
     0},
    {"on", OPT_ON, "gus|rtl", 0,
     "what simulates in detail: gus, the fast model (default), or rtl, the core's, in processes of its own when the "
     "simulator is through",
     0},
    OPTION_CONFIG(OPT_CONFIG, DEFAULT_CONFIGURATION, 0),
    {NULL, 'c', "NAME", OPTION_HIDDEN, NULL, 0},
    OPTION_TABLE(OPT_TABLE, 0),
    {"min", OPT_MIN, "N", 0, "instructions of a region that ends at a barrier, at least (default: 100000)", 0},
    {"max", OPT_MAX, "N", 0,
     "... at most; beyond them it ends at the next turn of a loop (default: 250000, or 2.5 times --min)", 0},
    {"theta", OPT_THETA, "X", 0,
     "regions whose vectors are nearer than this are similar; 0: none is, so all are simulated in detail (default: "
     "0.05)",
     0},
    {"depth", OPT_DEPTH, "N", 0, "regions before the next one that its prediction may look at (default: 16)", 0},
    {"distances", OPT_DISTANCES, NULL, 0,
     "vectors also have how far back in the hart's stack of lines each access to data went, so that the same code on "
     "other data is another region",
     0},
    {"warmup", OPT_WARMUP, "perfect|functional|keep|none|mtr[:N]|N", 0,
     "what caches, TLBs and predictors know when a region in detail begins: all that the run did, as if it had been "
     "simulated; likewise, kept up without time (default); what they knew at the end of the last one in detail; "
     "nothing. On rtl: what the N instructions before leave, or what the last accesses to each line leave in caches "
     "(mtr), or both, or nothing (default)",
     0},
    {"full", OPT_FULL, NULL, 0, "also simulate all in detail, beside, and say by how much the projection is off", 0},
    {"reference", OPT_REFERENCE, "CYCLES|STATS", 0,
     "cycles of the whole run, known from elsewhere, or a file of `tipoff run --stats` that has them: likewise", 0},
    OPTION_JOBS(", of regions on rtl", 0),
    OPTION_FORMAT(OPT_FORMAT, "text (default); csv: a row for each region; json: both", 0),
    OPTION_OUTPUT("", 0),
    {0},
};

// A number from low to high, which may have a point.
static double real(const char *text, double low, double high, const char *option, struct argp_state *state) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= low && value <= high))
        argp_error(state, "--%s: '%s' is no number from %g to %g", option, text, low, high);
    return value;
}

// NAME[:A:B]
static void parse_method(struct live_options *a, char *text, struct argp_state *state) {
    char *const first = strchr(text, ':'), *const second = first ? strchr(first + 1, ':') : NULL;
    if (first && !second) argp_error(state, "--method: '%s': two numbers belong behind its name, or none", text);
    if (first) *first = 0;
    a->settings.method = (enum pacsim_method)option_choice(text, live_method_names, PACSIM_METHODS, "method", state);
    a->settings.skip = SKIP;
    if (!second) return;
    *second = 0;
    if (a->settings.method == PACSIM_LIVE) argp_error(state, "--method: pacsim takes no numbers: use --min and --max");
    a->interval = option_number(first + 1, 1, UINT64_MAX / 4, "method", state);
    a->settings.skip = (unsigned)option_number(second + 1, 1, MOST_SKIP, "method", state);
}

// Of regions on rtl: none, N, mtr, mtr:N.
static void parse_warmup(struct live_options *a, struct argp_state *state) {
    const char *text = a->warmup_text;
    if (!text || strcmp(text, "none") == 0) return;
    a->accesses = strncmp(text, "mtr", 3) == 0;
    if (a->accesses) text += 3;
    if (a->accesses && !*text) return;
    if (a->accesses && *text++ != ':') argp_error(state, "--warmup: '%s': use mtr or mtr:N", a->warmup_text);
    a->ahead = option_number(text, 1, a->most - 1, "warmup", state);
}

static void check(struct live_options *a, struct argp_state *state) {
    if (!a->most) a->most = a->least ? a->least / 2 * 5 : MOST;
    if (!a->least) a->least = a->most < LEAST ? a->most : LEAST;
    if (a->most < a->least) a->most = a->least;
    if (a->interval) a->most = a->least = a->interval;
    if (a->on == LIVE_ON_GUS) {
        a->warmup = a->warmup_text ? (enum live_warmup)option_choice(a->warmup_text, live_warmup_names, LIVE_WARMUPS,
                                                                     "warmup", state)
                                   : LIVE_FUNCTIONAL;
    } else {
        if (a->full || a->table) argp_error(state, "--%s: belongs to --on gus", a->full ? "full" : "table");
        parse_warmup(a, state);
    }
    if (a->settings.data && a->settings.method != PACSIM_LIVE)
        argp_error(state, "--distances: intervals have no vectors: omit it, or --method");
    if (a->full && a->reference) argp_error(state, "--reference: is what --full finds: omit one of them");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct live_options *a = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &a->program; break;
    case OPT_METHOD: parse_method(a, arg, state); break;
    case OPT_ON: a->on = (enum live_on)option_choice(arg, live_on_names, LIVE_ONS, "on", state); break;
    case 'c':
    case OPT_CONFIG: a->config = arg; break;
    case OPT_TABLE: a->table = arg; break;
    case OPT_MIN: a->least = option_number(arg, 1, UINT64_MAX / 4, "min", state); break;
    case OPT_MAX: a->most = option_number(arg, 1, UINT64_MAX / 4, "max", state); break;
    case OPT_THETA: a->settings.threshold = real(arg, 0, 100, "theta", state); break;
    case OPT_DEPTH: a->settings.depth = (unsigned)option_number(arg, 1, MOST_DEPTH, "depth", state); break;
    case OPT_DISTANCES: a->settings.data = true; break;
    case OPT_WARMUP: a->warmup_text = arg; break;
    case 'j': a->jobs = (unsigned)option_number(arg, 1, MOST_JOBS, "jobs", state); break;
    case OPT_FULL: a->full = true; break;
    case OPT_REFERENCE: a->reference = arg; break;
    case OPT_FORMAT:
        a->format = (enum pacsim_format)option_choice(arg, format_names, PACSIM_FORMATS, "format", state);
        break;
    case 'o': a->output = arg; break;
    case ARGP_KEY_END: check(a, state); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

void live_options_begin(struct live_options *a) {
    *a = (struct live_options){.config = DEFAULT_CONFIGURATION, .settings = PACSIM_SETTINGS, .jobs = cpus_available()};
    iss_program_begin(&a->program);
}

static const struct argp_child children[] = {{&iss_program_argp, 0, NULL, 0}, {0}};
const struct argp live_options_argp = {
    .options = options, .parser = parse, .args_doc = "[PROGRAM.elf [-- ARG...]]", .doc = about, .children = children};
