// Options of `tipoff run`: their parser.
#include "cli/run_options.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/run_options_table.h"
#include "harness/model.h"
#include "iss/checkpoint.h"
#include "trace/tracer.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void choose_jitter_kind(struct run_options *a, const char *text, struct argp_state *state) {
    enum { RANDOM, GOLDEN, FRACTIONAL, KINDS };
    static const char *const names[KINDS] = {"random", "golden", "fractional"};
    const unsigned kind = option_choice(text, names, KINDS, "jitter-kind", state);
    a->fractional = kind == FRACTIONAL;
    a->run.sampling.golden = kind != RANDOM;
    a->jitter_kind = true;
}

static void take_period(struct run_options *a, const char *text, struct argp_state *state) {
    struct sampling_settings *s = &a->run.sampling;
    a->unsampled = strcmp(text, "none") == 0;
    s->follow_program = strcmp(text, "program") == 0;
    s->period =
        a->unsampled || s->follow_program ? 0 : option_number(text, SAMPLING_SHORTEST, UINT64_MAX / 2, "period", state);
}

// What the options for the distances of samples say together.
static void check_jitter(struct run_options *a, struct argp_state *state) {
    struct simulation_options *o = &a->run;
    const unsigned most = o->sampling.period ? sampling_settings_most_jitter(o->sampling.period) : 0;
    if (a->jitter && !o->sampling.period) argp_error(state, "--jitter needs --period and a number of cycles");
    if (a->jitter_kind && !o->sampling.period) argp_error(state, "--jitter-kind needs --period and a number of cycles");
    if (a->fractional && a->jitter)
        argp_error(state, "--jitter-kind fractional takes no --jitter: omit one of the two");
    if (a->jitter_kind && a->fixed) argp_error(state, "--jitter=none has no --jitter-kind: omit one of the two");
    if (o->sampling.jitter_bits > most)
        argp_error(state, "--jitter %u: 2^%u cycles are more than all of --period %llu: at most %u",
                   o->sampling.jitter_bits, o->sampling.jitter_bits, (unsigned long long)o->sampling.period, most);
    if (!o->sampling.period || a->fixed || a->fractional || o->sampling.jitter_bits) return;
    o->sampling.jitter_bits = o->sampling.golden ? most : sampling_settings_jitter(o->sampling.period);
}

// 0: auto. Models have one each at most, and what runs beside them another one.
static unsigned threads(const struct run_options *a, struct argp_state *state) {
    static const char *const names[] = {"auto", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    _Static_assert(sizeof names / sizeof *names == RUN_HARTS_MOST + 2, "a thread for each hart, and the checks'");
    return option_choice(a->threads, names, (a->harts ? a->harts : 1) + 2, "threads", state);
}

static void add_worker(struct run_options *a, const char *text, struct argp_state *state) {
    struct error err;
    if (worker_requests_parse(a->workers, text, &err) < 0) argp_failure(state, STATUS_BAD_INPUT, 0, "%s", err.text);
    const struct worker_request *added = worker_requests_at(a->workers, worker_requests_count(a->workers) - 1);
    if (added->former) warning(&cli_notices, "worker '%s' is now called '%s'", added->former, added->ops->name);
}

static void add_snippets(struct run_options *a, const char *number, struct argp_state *state) {
    char text[64];
    a->snippets = true;
    snprintf(text, sizeof text, "snippets:hottest=%s", number);
    add_worker(a, text, state);
}

// --trace and --kanata are workers by another name.
static void add_short_forms(struct run_options *a, struct argp_state *state) {
    struct error err;
    if (a->trace && (!tracer_find(a->trace_format, &err) ||
                     worker_requests_add(a->workers, a->trace_format, a->trace, a->trace_from, a->trace_to, &err) < 0))
        argp_failure(state, STATUS_BAD_INPUT, 0, "%s", err.text);
    if (a->kanata && worker_requests_add(a->workers, "kanata", a->kanata, a->trace_from, a->trace_to, &err) < 0)
        argp_failure(state, STATUS_BAD_INPUT, 0, "%s", err.text);
}

// POSITION[,CYCLES]
static void take_around(struct run_options *a, const char *text, struct argp_state *state) {
    const char *comma = strrchr(text, ',');
    size_t length = comma ? (size_t)(comma - text) : strlen(text);
    if (length == 0 || length >= sizeof a->around) argp_error(state, "--around '%s': names no position", text);
    memcpy(a->around, text, length);
    a->around_cycles = comma ? option_number(comma + 1, 0, 1000000000, "around POSITION,CYCLES:", state) : 200;
}

// Its region is found before the run; until then it is any.
static void use_around(struct run_options *a, struct argp_state *state) {
    if (!a->trace && !a->kanata && !a->run.fst) argp_error(state, "--around needs --trace, --kanata or --fst");
    if (a->trace_from || a->trace_to || a->run.fst_from || a->run.fst_to)
        argp_error(state, "--around sets the region: omit --trace-from, --trace-to, --fst-from and --fst-to");
    a->around_from[0] = a->around_to[0] = '0';
    a->trace_from = a->run.fst_from = a->around_from;
    a->trace_to = a->run.fst_to = a->around_to;
}

// As many as it has. One that cannot be read is reported by its reader.
static void harts_of_checkpoint(struct run_options *a, struct argp_state *state) {
    struct error err;
    a->harts = checkpoint_harts(a->run.restore, &err);
    if (a->harts > RUN_HARTS_MOST)
        argp_failure(state, STATUS_BAD_INPUT, 0,
                     "%s: a checkpoint of a machine of %u harts; cores have %d at most: `tipoff iss` continues it",
                     a->run.restore, a->harts, RUN_HARTS_MOST);
}

// What a run of several harts does not have.
static void check_harts(const struct run_options *a, struct argp_state *state) {
    const struct simulation_options *o = &a->run;
    if (o->failure_asked) argp_error(state, "--failure-checkpoint: a run has one hart then: omit it, or --harts");
    if (o->hart_id) argp_error(state, "--hart-id: several harts are numbered from 0; omit it");
}

// A number of them, or the configuration of each.
static void take_harts(struct run_options *a, const char *text, struct argp_state *state) {
    struct error err;
    a->kinds.count = 0;
    if (!isalpha((unsigned char)text[0])) {
        a->harts = (unsigned)option_number(text, 1, RUN_HARTS_MOST, "harts", state);
        return;
    }
    if (!run_kinds_parse(&a->kinds, text, &err)) argp_error(state, "%s", err.text);
    a->harts = a->kinds.count;
}

// Each hart's configuration has its model.
static void check_kinds(struct run_options *a, struct argp_state *state) {
    if (!a->kinds.count) return;
    if (a->config) argp_error(state, "--config: --harts names the configuration of each hart; omit one of the two");
    if (a->run.model_path) argp_error(state, "--model: harts of several configurations have several; omit it");
    a->config = a->kinds.names[0];
}

error_t run_options_parse(int key, char *arg, struct argp_state *state) {
    struct run_options *a = state->input;
    struct simulation_options *o = &a->run;
    switch (key) {
    case OPT_CONFIG: a->config = arg; break;
    case OPT_MODEL: o->model_path = arg; break;
    case OPT_MAX_CYCLES: o->max_cycles = option_number(arg, 1, UINT64_MAX - 1, "max-cycles", state); break;
    case OPT_MAX_INSNS: o->max_insns = option_number(arg, 1, UINT64_MAX - 1, "max-insns", state); break;
    case OPT_PERIOD: take_period(a, arg, state); break;
    case OPT_SET:
        if (o->set_count == SETTINGS_MOST) argp_error(state, "--set: more than %d of them", SETTINGS_MOST);
        a->set[o->set_count++] = arg;
        break;
    case OPT_JITTER:
        a->fixed = arg && strcmp(arg, "none") == 0;
        o->sampling.jitter_bits = arg && !a->fixed ? (unsigned)option_number(arg, 1, 32, "jitter", state) : 0;
        a->jitter = true;
        break;
    case OPT_JITTER_KIND: choose_jitter_kind(a, arg, state); break;
    case OPT_SEED: o->sampling.seed = option_number(arg, 1, UINT32_MAX, "seed", state); break;
    case OPT_COUNT: {
        struct error err;
        if (strcmp(arg, "help") == 0) {
            event_counters_list(stdout);
            exit(EXIT_SUCCESS);
        }
        if (event_counters_parse(&a->count, arg, &err) < 0) argp_error(state, "%s", err.text);
        o->count = &a->count;
        break;
    }
    case OPT_PROFILEME: {
        struct error err;
        if (instruction_sampler_parse(&a->profileme, arg, &err) < 0) argp_error(state, "%s", err.text);
        o->profileme = &a->profileme;
        break;
    }
    case OPT_DUMP_MEMORY: {
        struct error err;
        if (memory_dumps_parse(&a->dumps, arg, &err) < 0) argp_error(state, "%s", err.text);
        o->dumps = &a->dumps;
        break;
    }
    case OPT_INPUT: o->input = arg; break;
    case OPT_FILE_ROOT: file_root_argument(&o->file_roots, arg, state); break;
    case OPT_HART_ID: o->hart_id = (unsigned)option_number(arg, 0, UINT8_MAX, "hart-id", state); break;
    case OPT_HARTS: take_harts(a, arg, state); break;
    case OPT_MEMORY: o->memory = memory_argument(arg, state); break;
    case OPT_RESTORE: o->restore = arg; break;
    case OPT_FROM_RESET: o->from_reset = true; break;
    case OPT_WARMUP: o->warmup = option_number(arg, 0, UINT64_MAX - 1, "warmup", state); break;
    case OPT_WARM: {
        static const char *const caches[] = {"all", "memory"};
        o->warm = true;
        o->warm_l1 = option_choice(arg, caches, 2, "warm", state) == 0;
        break;
    }
    case OPT_SAMPLES: o->samples = arg; break;
    case OPT_STATS: o->stats = arg; break;
    case OPT_PROFILE: o->profile = arg; break;
    case OPT_TRACE: a->trace = arg; break;
    case OPT_TRACE_FORMAT: a->trace_format = arg; break;
    case OPT_KANATA: a->kanata = arg; break;
    case OPT_TRACE_FROM: a->trace_from = arg; break;
    case OPT_TRACE_TO: a->trace_to = arg; break;
    case OPT_FAILURE_CHECKPOINT:
        o->failure_checkpoint = arg;
        o->failure_asked = true;
        break;
    case OPT_WORKER: add_worker(a, arg, state); break;
    case OPT_NO_COSIM: o->cosim = false; break;
    case OPT_NO_ORACLE: o->oracle = false; break;
    case OPT_SKIP:
        if (arg && strcmp(arg, "check") != 0) argp_error(state, "--skip=%s: write --skip or --skip=check", arg);
        o->skip = arg ? MODEL_SKIP_CHECK : MODEL_SKIP_YES;
        break;
    case OPT_NO_CALL_GRAPH: add_worker(a, "call-stacks:on=no", state); break;
    case OPT_SNIPPETS: add_snippets(a, arg, state); break;
    case OPT_THREADS: a->threads = arg; break;
    case OPT_FST: o->fst = arg; break;
    case OPT_FST_FROM: o->fst_from = arg; break;
    case OPT_FST_TO: o->fst_to = arg; break;
    case OPT_SAMPLE_FROM: o->sample_from = arg; break;
    case OPT_SAMPLE_TO: o->sample_to = arg; break;
    case OPT_AROUND: take_around(a, arg, state); break;
    case 'q': o->quiet = true; break;
    case ARGP_KEY_ARG:
        if (program_argument(state, &o->argv)) o->program = arg;
        break;
    case ARGP_KEY_NO_ARGS:
        if (o->restore) break;
        argp_error(state, "name a program: build/workloads/NAME.SIZE.elf, see `tipoff workloads`");
        break;
    case ARGP_KEY_END:
        if (o->profile && !o->oracle) argp_error(state, "--profile is the Oracle's: leave --no-oracle out");
        if (!a->around[0] && (a->trace_from || a->trace_to) && !a->trace && !a->kanata)
            argp_error(state, "--trace-from and --trace-to need --trace or --kanata");
        if (o->failure_asked && !o->cosim)
            argp_error(state, "--failure-checkpoint needs lockstep: leave --no-cosim out");
        if (o->samples && a->unsampled && !o->profileme)
            argp_error(state, "--samples: --period none takes none: omit one of the two");
        if (o->samples && !a->unsampled && !sampling_settings_any(&o->sampling) && !o->profileme)
            o->sampling.period = SAMPLING_DEFAULT;
        if (a->snippets && !o->samples)
            argp_error(state, "--snippets go to the sample file: name one with --samples FILE");
        check_jitter(a, state);
        if (o->warmup && o->sample_from)
            argp_error(state, "--warmup sets where measuring starts: omit it, or --sample-from");
        if (o->warm && !o->restore) argp_error(state, "--warm needs --restore: the checkpoint has the accesses");
        if (o->restore && o->hart_id) argp_error(state, "--hart-id: the checkpoint determines it; omit one of the two");
        if (o->restore && !a->harts) harts_of_checkpoint(a, state);
        if (a->harts > 1) check_harts(a, state);
        if (a->around[0]) use_around(a, state);
        if (a->threads) o->threads = threads(a, state);
        check_kinds(a, state);
        add_short_forms(a, state);
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}
