// tipoff workers: what can watch a run, with the keys of each.
#include "base/position.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/table_output.h"
#include "workers/worker.h"
#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>

static error_t parse(int key, char *arg, struct argp_state *state) {
    if (key == ARGP_KEY_INIT) state->child_inputs[0] = state->input;
    if (key != ARGP_KEY_ARG) return key == ARGP_KEY_INIT ? 0 : ARGP_ERR_UNKNOWN;
    argp_error(state, "unexpected argument '%s'", arg);
    return 0;
}

static const char *kind_of(const struct worker_key *key) {
    static const char *const kinds[] = {[WORKER_NUMBER] = "N",
                                        [WORKER_PRIME] = "N",
                                        [WORKER_FILE] = "PATH",
                                        [WORKER_INPUT] = "PATH",
                                        [WORKER_CHOICE] = "NAME"};
    return key->kind == WORKER_EDGE ? position_forms(POSITIONS_SEEN) : kinds[key->kind];
}

static void print_key(const struct worker_key *key, FILE *out) {
    fprintf(out, "    %s=%s  %s", key->name, kind_of(key), key->text);
    if (key->kind <= WORKER_PRIME) fprintf(out, ", %" PRIu64 " to %" PRIu64, key->low, key->high);
    if (key->standard) fprintf(out, " (default: %s)", key->standard);
    fputc('\n', out);
}

static bool has_keys(const struct worker_ops *ops, size_t k) {
    return k < WORKER_KEYS && ops->keys[k].name;
}

// For people: a worker's keys stand below it.
static void print_all(const struct sheet *none, FILE *out) {
    (void)none;
    for (size_t i = 0; i < worker_registry_count; i++) {
        const struct worker_ops *ops = worker_registry[i];
        fprintf(out, "%c %-17s %s\n", ops->standard == WORKER_ON_DEMAND ? ' ' : '+', ops->name, ops->text);
        for (size_t k = 0; has_keys(ops, k); k++)
            print_key(&ops->keys[k], out);
    }
}

static void add_row(struct sheet *s, const struct worker_ops *ops, const struct worker_key *key) {
    const bool number = key && key->kind <= WORKER_PRIME;
    sheet_text(s, ops->name);
    sheet_add(s, value_truth(ops->standard != WORKER_ON_DEMAND));
    sheet_text(s, key ? key->name : "");
    sheet_text(s, key ? kind_of(key) : "");
    sheet_add(s, number ? value_count(key->low) : value_none());
    sheet_add(s, number ? value_count(key->high) : value_none());
    sheet_text(s, key && key->standard ? key->standard : "");
    sheet_text(s, key ? key->text : ops->text);
}

// For programs: a row for each worker, then one for each of its keys.
static struct sheet *fill(void) {
    static const char *const names[] = {"worker", "standard", "key", "value", "min", "max", "default", "text"};
    struct sheet *s = sheet_create();
    for (size_t i = 0; s && i < sizeof names / sizeof *names; i++)
        sheet_column(s, names[i], names[i], SHEET_LEFT);
    for (size_t i = 0; s && i < worker_registry_count; i++) {
        add_row(s, worker_registry[i], NULL);
        for (size_t k = 0; has_keys(worker_registry[i], k); k++)
            add_row(s, worker_registry[i], &worker_registry[i]->keys[k]);
    }
    return s;
}

int cmd_workers(int argc, char **argv) {
    static const char text[] =
        "List the workers that `tipoff run --worker NAME[:KEY=VALUE,...]` can run beside the model. Those marked "
        "+ run by default, unless --no-cosim, --no-oracle or the key on=no disables them.\v"
        "C is a cycle, PLACE is 0xADDRESS, SYMBOL or SYMBOL+BYTES: the cycle in which that instruction commits for the "
        "N-th time (docs/reference/workers.md). Exit status: 0; 2 on bad usage; 4 if the output cannot be written.";
    const struct argp_child children[] = {{&table_output_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {.parser = parse, .doc = text, .children = children};
    struct table_output to = {.text = print_all};
    struct error err = {""};
    parse_command(&argp, "workers", argc, argv, &to);
    struct sheet *sheet = fill();
    const int status = table_output_write(&to, sheet, &err);
    if (status) fprintf(stderr, "tipoff: %s\n", err.text);
    sheet_destroy(sheet);
    return status;
}
