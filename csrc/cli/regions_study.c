// tipoff regions study: what SimPoint's settings are worth, from one full run: projected CPI beside the run's.
#include "base/output.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/regions.h"
#include "cli/shared_options.h"
#include "methods/regions/study.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
    OPT_VECTORS = 256,
    OPT_REFERENCE,
    OPT_JOIN,
    OPT_MAXK,
    OPT_DIMS,
    OPT_BIC,
    OPT_COVERAGE,
    OPT_SEEDS,
    OPT_SEED,
    OPT_FORMAT
};
enum subject { MAXK, DIMS, BIC, COVERAGE, SIZE, CLUSTERS, SUBJECTS };
static const char *const subject_names[SUBJECTS] = {"maxk", "dims", "bic", "coverage", "size", "clusters"};
static const char *const format_names[] = {"text", "csv"};
enum { MOST_K = 1000, MOST_SEEDS = 1000, MOST_JOIN = 1000000, FEWEST_SLICES = 100 };

static const struct argp_option options[] = {
    {"vectors", OPT_VECTORS, "FILE", 0,
     "frequency vectors of the run (.bb, also with gzip): tipoff bbv --format simpoint", 0},
    {"reference", OPT_REFERENCE, "FILE", 0,
     "what its slices took (CSV, also with gzip): tipoff run --worker slices:file=FILE,at=BEGINS, with the begins of "
     "the "
     "same slices",
     0},
    {"join", OPT_JOIN, "N", 0, "make one slice of N neighbours (default: 1)", 0},
    {"maxk", OPT_MAXK, "N", 0, "regions at most (default: 30), and half as many as there are slices", 0},
    {"dims", OPT_DIMS, "N", 0, "dimensions that vectors are projected to (default: 15)", 0},
    {"bic", OPT_BIC, "X", 0,
     "take the smallest number of regions whose score is so near to the best one, 0 to 1 (default: 0.9)", 0},
    {"coverage", OPT_COVERAGE, "X", 0,
     "choose from the first slices alone, this share of all, above 0, to 1 (default: 1)", 0},
    {"seeds", OPT_SEEDS, "N", 0, "runs of k-means for each number of regions; the best one counts (default: 5)", 0},
    OPTION_SEED(OPT_SEED, "projection and clustering", 0),
    OPTION_FORMAT(OPT_FORMAT, "text (default), csv", 0),
    OPTION_OUTPUT("", 0),
    {0},
};

struct arguments {
    const char *vectors, *reference, *output;
    bool named; // the subject is
    enum subject subject;
    unsigned format;
    struct study_settings settings;
    struct reference run;
    FILE *out;
};

static double share(const char *text, double low, const char *option, struct argp_state *state) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= low && value <= 1))
        argp_error(state, "--%s: '%s' is no number from %g to 1", option, text, low);
    return value;
}

static void check_named(const struct arguments *a, struct argp_state *state) {
    if (!a->named) argp_error(state, "say what to study: maxk, dims, bic, coverage, size or clusters");
    if (!a->vectors || !a->reference) argp_error(state, "needs --vectors and --reference of one run");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct arguments *a = state->input;
    struct study_settings *s = &a->settings;
    switch (key) {
    case OPT_VECTORS: a->vectors = arg; break;
    case OPT_REFERENCE: a->reference = arg; break;
    case OPT_JOIN: s->join = option_number(arg, 1, MOST_JOIN, "join", state); break;
    case OPT_MAXK: s->clustering.most_k = option_number(arg, 1, MOST_K, "maxk", state); break;
    case OPT_DIMS: s->dims = option_number(arg, 1, POINTS_MOST_DIMS, "dims", state); break;
    case OPT_BIC: s->clustering.threshold = share(arg, 0, "bic", state); break;
    case OPT_COVERAGE: s->part = share(arg, 0.001, "coverage", state); break;
    case OPT_SEEDS: s->clustering.seeds = (unsigned)option_number(arg, 1, MOST_SEEDS, "seeds", state); break;
    case OPT_SEED: s->clustering.seed = option_number(arg, 0, UINT64_MAX, "seed", state); break;
    case OPT_FORMAT: a->format = option_choice(arg, format_names, 2, "format", state); break;
    case 'o': a->output = arg; break;
    case ARGP_KEY_ARG:
        if (a->named) argp_error(state, "unexpected argument '%s'", arg);
        a->subject = option_choice(arg, subject_names, SUBJECTS, "study", state);
        a->named = true;
        break;
    case ARGP_KEY_END: check_named(a, state); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

// ---- one value after the other ----
// The i-th of those that Paper C (table C.2) goes through; false: there are no more.
static bool take_value(const struct arguments *a, unsigned i, struct study_settings *s, double *value) {
    enum { MOST = 50, STEPS = 20 };
    static const size_t sizes[] = {1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10000};
    *s = a->settings;
    switch (a->subject) {
    case MAXK: *value = (double)(s->clustering.most_k = i + 1); return i < MOST;
    case DIMS: *value = (double)(s->dims = i + 1); return i < MOST;
    case BIC: *value = s->clustering.threshold = (double)i / STEPS; return i <= STEPS;
    case COVERAGE: *value = s->part = (double)(i + 1) / STEPS; return i < STEPS;
    default:
        if (i >= sizeof sizes / sizeof *sizes || (i && a->run.count / sizes[i] < FEWEST_SLICES)) return false;
        s->join = sizes[i];
        *value = (double)study_slice(&a->run, s->join, 0).instructions;
        return true;
    }
}

static void write_point(const struct arguments *a, double value, const struct study_point *p) {
    const double whole = (double)a->run.cycles / (double)a->run.instructions;
    const double part = (double)p->chosen / (double)a->run.instructions;
    if (a->format)
        fprintf(a->out, "%s,%g,%zu,%zu,%" PRIu64 ",%.9g,%.9g,%.9g,%.9g,%.9g\n", subject_names[a->subject], value,
                p->slices, p->regions, p->chosen, part, p->cpi, whole, p->error, p->error_counted);
    else
        fprintf(a->out, "%8g  %6zu  %7zu  %12" PRIu64 "  %5.1f %%  %8.4f  %7.2f %%  %7.2f %%\n", value, p->slices,
                p->regions, p->chosen, 100 * part, p->cpi, 100 * p->error, 100 * p->error_counted);
}

static int study_values(const struct arguments *a, struct error *err) {
    struct study_settings s;
    double value;
    if (a->format)
        fputs("study,value,slices,regions,instructions,share,cpi,reference_cpi,error,error_counted\n", a->out);
    else
        fprintf(a->out,
                "%zu slices, %" PRIu64 " instructions, CPI %.4f\n\n%8s  slices  regions  instructions    share  "
                "     CPI      error  by instructions\n",
                a->run.count, a->run.instructions, (double)a->run.cycles / (double)a->run.instructions,
                subject_names[a->subject]);
    for (unsigned i = 0; take_value(a, i, &s, &value); i++) {
        struct study_point point;
        const int rc = study_run(&a->run, &s, &point, err);
        if (rc) return rc;
        write_point(a, value, &point);
    }
    return 0;
}

// ---- one choice, cluster by cluster ----
struct spread {
    size_t slices;
    double sum, low, high;
};

static struct spread spread_of(const struct arguments *a, const struct choice *c, size_t cluster) {
    struct spread s = {0, 0, INFINITY, 0};
    for (size_t i = 0; i < c->points.count; i++) {
        if (c->clustering.kmeans.label[i] != cluster) continue;
        const double cpi = study_cpi(study_slice(&a->run, a->settings.join, i));
        s.slices++;
        s.sum += cpi;
        s.low = fmin(s.low, cpi);
        s.high = fmax(s.high, cpi);
    }
    return s;
}

// Where the error is: a region's CPI beside the mean of its cluster's, times the cluster's share, by the run's CPI.
static void write_clusters(const struct arguments *a, const struct choice *c) {
    const struct clustering *const g = &c->clustering;
    const double whole = (double)a->run.cycles / (double)a->run.instructions;
    fputs(a->format ? "cluster,slice,slices,share,cpi,mean,low,high,error\n"
                    : "cluster     slice   slices    share       CPI      mean       low      high    error\n",
          a->out);
    for (size_t i = 0; i < g->kmeans.k; i++) {
        if (g->share[i] == 0) continue;
        const struct spread s = spread_of(a, c, i);
        const double mean = s.sum / (double)s.slices;
        const double cpi = study_cpi(study_slice(&a->run, a->settings.join, g->representative[i]));
        const double error = g->share[i] * (cpi - mean) / whole;
        if (a->format)
            fprintf(a->out, "%zu,%zu,%zu,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", i, g->representative[i], s.slices,
                    g->share[i], cpi, mean, s.low, s.high, error);
        else
            fprintf(a->out, "%7zu  %8zu  %7zu  %5.1f %%  %8.4f  %8.4f  %8.4f  %8.4f  %5.2f %%\n", i,
                    g->representative[i], s.slices, 100 * g->share[i], cpi, mean, s.low, s.high, 100 * error);
    }
}

static int study_clusters(const struct arguments *a, struct error *err) {
    struct choice c;
    choice_begin(&c, a->settings.dims, a->settings.clustering.seed);
    const int rc = study_choose(&a->run, &a->settings, &c, err);
    if (!rc) write_clusters(a, &c);
    choice_free(&c);
    return rc;
}

static int study(struct arguments *a, struct error *err) {
    int status = reference_read(&a->run, a->vectors, a->reference, err) ? STATUS_BAD_INPUT : EXIT_SUCCESS;
    struct output *const output = status ? NULL : output_open(a->output, err);
    if (!status && !output) status = STATUS_OUTPUT;
    if (output) {
        a->out = output_file(output);
        const int rc = a->subject == CLUSTERS ? study_clusters(a, err) : study_values(a, err);
        if (rc) status = STATUS_BAD_INPUT;
        if (output_close(output, !rc, rc ? NULL : err) < 0 && !rc) status = STATUS_OUTPUT;
    }
    reference_free(&a->run);
    return status;
}

int regions_study(int argc, char **argv) {
    static const char text[] =
        "Show what the settings of `tipoff regions find` are worth: CPI projected from regions beside that of a full "
        "run.\vThe cycles of regions are cut out of the full run, so that no warm-up is lacking. maxk, dims, bic and "
        "coverage go through the values of one setting; size through lengths of slices, with 100 slices or more; "
        "clusters shows for one choice where the error comes from. error: CPIs of regions weighted by the number of "
        "slices; by instructions: weighted by the instructions of their clusters.\n"
        "Exit status: 0; 2 on bad usage or bad input; 4 when the output could not be written.";
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "maxk|dims|bic|coverage|size|clusters", .doc = text};
    struct arguments a = {.settings = {.clustering = CLUSTERING_SIMPOINT, .dims = 15, .join = 1, .part = 1}};
    struct error err = {""};
    parse_command(&argp, "regions study", argc, argv, &a);
    const struct path_use uses[] = {
        {"--vectors", a.vectors, false}, {"--reference", a.reference, false}, {"--output", a.output, true}};
    const int status = paths_check(uses, sizeof uses / sizeof *uses, &err) ? study(&a, &err) : STATUS_BAD_INPUT;
    if (err.text[0]) fprintf(stderr, "tipoff: %s\n", err.text);
    return status;
}
