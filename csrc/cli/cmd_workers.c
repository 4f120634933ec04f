// tipoff workers: what can watch a run, with the keys of each.
#include "base/position.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "workers/worker.h"
#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>

static error_t parse(int key, char *arg, struct argp_state *state) {
    if (key != ARGP_KEY_ARG) return ARGP_ERR_UNKNOWN;
    argp_error(state, "unexpected argument '%s'", arg);
    return 0;
}

static void print_key(const struct worker_key *key) {
    const char *const kinds[] = {[WORKER_NUMBER] = "N",
                                 [WORKER_PRIME] = "N",
                                 [WORKER_FILE] = "PATH",
                                 [WORKER_INPUT] = "PATH",
                                 [WORKER_EDGE] = position_forms(POSITIONS_SEEN),
                                 [WORKER_CHOICE] = "NAME"};
    printf("    %s=%s  %s", key->name, kinds[key->kind], key->text);
    if (key->kind <= WORKER_PRIME) printf(", %" PRIu64 " to %" PRIu64, key->low, key->high);
    if (key->standard) printf(" (default %s)", key->standard);
    putchar('\n');
}

int cmd_workers(int argc, char **argv) {
    static const char text[] =
        "List the workers that `tipoff run --worker NAME[:KEY=VALUE,...]` can run beside the model. Those marked "
        "+ run by default, unless --no-cosim, --no-oracle or the key on=no disables them.\v"
        "C is a cycle, PLACE is 0xADDRESS, SYMBOL or SYMBOL+BYTES: the cycle in which that instruction commits for the "
        "N-th time (docs/reference/workers.md).";
    const struct argp argp = {.parser = parse, .doc = text};
    parse_command(&argp, "workers", argc, argv, NULL);
    for (size_t i = 0; i < worker_registry_count; i++) {
        const struct worker_ops *ops = worker_registry[i];
        printf("%c %-17s %s\n", ops->standard == WORKER_ON_DEMAND ? ' ' : '+', ops->name, ops->text);
        for (size_t k = 0; k < WORKER_KEYS && ops->keys[k].name; k++)
            print_key(&ops->keys[k]);
    }
    return EXIT_SUCCESS;
}
