// The options of programs on the simulator alone, and the machine that they describe: iss_program.h.
#include "cli/iss_program.h"
#include "cli/cli.h"
#include "cli/command_line.h"
#include "cli/shared_options.h"
#include "machine/console.h"
#include "machine/ends.h"
#include "machine/harts.h"
#include <stdlib.h>

enum { OPT_MAX_INSNS = ISS_PROGRAM_KEYS, OPT_INPUT, OPT_FILE_ROOT, OPT_MEMORY, OPT_RESTORE, OPT_HARTS, OPT_QUANTUM };

static const struct argp_option options[] = {
    {"max-insns", OPT_MAX_INSNS, "N", 0, "end after N instructions (and traps), of all harts together", 0},
    OPTION_INPUT(OPT_INPUT, 0),
    OPTION_FILE_ROOT(OPT_FILE_ROOT, 0),
    {"harts", OPT_HARTS, "N", 0, "harts of the machine, 1 to 16 (default: 1, or the checkpoint's)", 0},
    {"quantum", OPT_QUANTUM, "N", 0,
     "with several harts: instructions that a hart executes before the next one's turn, 64 to 1000000 (default: 256, "
     "or the checkpoint's)",
     0},
    OPTION_MEMORY(OPT_MEMORY, 0),
    OPTION_RESTORE(OPT_RESTORE, "; PROGRAM is optional then", 0),
    {0},
};

void iss_program_begin(struct iss_program *p) {
    *p = (struct iss_program){.max = UINT64_MAX, .file_roots.notices = &cli_notices};
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct iss_program *p = state->input;
    switch (key) {
    case OPT_MAX_INSNS: p->max = option_number(arg, 0, UINT64_MAX, "max-insns", state); break;
    case OPT_INPUT: p->input = arg; break;
    case OPT_FILE_ROOT: file_root_argument(&p->file_roots, arg, state); break;
    case OPT_HARTS: p->harts = (unsigned)option_number(arg, 1, MACHINE_MOST_HARTS, "harts", state); break;
    case OPT_QUANTUM: p->quantum = option_number(arg, ISS_LEAST_QUANTUM, ISS_MOST_QUANTUM, "quantum", state); break;
    case OPT_MEMORY: p->memory = memory_argument(arg, state); break;
    case OPT_RESTORE: p->restore = arg; break;
    case ARGP_KEY_ARG:
        if (program_argument(state, &p->argv)) p->program = arg;
        break;
    case ARGP_KEY_END: quantum_argument(p->quantum, p->harts, p->restore, state); break;
    case ARGP_KEY_NO_ARGS:
        if (p->restore || p->optional) break;
        argp_error(state, "name a program: build/workloads/NAME.SIZE.elf, see `tipoff workloads`");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}
const struct argp iss_program_argp = {.options = options, .parser = parse};

const char *iss_program_path(const struct iss_program *p) {
    return p->program ? p->program : p->origin.program;
}

static bool fill(struct iss_program *p, struct iss *iss, struct error *err) {
    if (p->restore) {
        if (checkpoint_read(iss, &p->origin, p->restore, err) < 0 || !checkpoint_has(iss, p->memory, p->restore, err))
            return false;
        return !p->image || checkpoint_is_of(&p->origin, p->image, p->restore, err);
    }
    if (p->max == UINT64_MAX && !p->ends && !ends_by_itself(p->image, "--max-insns", err)) return false;
    snprintf(p->origin.program, sizeof p->origin.program, "%s", p->program);
    snprintf(p->origin.build_id, sizeof p->origin.build_id, "%s", image_build_id(p->image));
    return iss_set_memory(iss, p->memory, err) == 0 && iss_load(iss, p->image, err) == 0;
}

static struct iss *create(struct iss_program *p, struct error *err) {
    if (!p->harts) p->harts = p->restore ? checkpoint_harts(p->restore, err) : 1;
    struct iss *iss = p->harts ? iss_create_harts(p->harts, err) : NULL;
    if (!iss) return NULL;
    if (p->quantum) iss_set_quantum(iss, p->quantum);
    iss_set_ad_update(iss, p->ad_update);
    iss_set_hart_id(iss, p->hart_id);
    iss_set_console(iss, p->console, p->opened);
    iss_set_second_console(iss, p->second);
    iss_set_file_roots(iss, &p->file_roots);
    if (fill(p, iss, err)) {
        iss_set_arguments(iss, p->argv);
        return iss;
    }
    iss_destroy(iss);
    return NULL;
}

struct iss *iss_program_open(struct iss_program *p, struct error *err) {
    p->opened = NULL;
    p->image = p->loaded = p->program ? image_load(p->program, err) : NULL;
    const bool good = (!p->program || p->image) && (!p->input || (p->opened = console_open(p->input, err)) != NULL);
    struct iss *iss = good ? create(p, err) : NULL;
    if (!iss) iss_program_close(p, NULL);
    return iss;
}

void iss_program_close(struct iss_program *p, struct iss *iss) {
    iss_destroy(iss);
    if (p->opened) fclose(p->opened);
    p->opened = NULL;
    p->image = NULL;
    image_destroy(p->loaded);
    p->loaded = NULL;
}

int iss_program_run(struct iss_program *p, iss_program_with *with, void *context, struct error *err) {
    struct iss *iss = iss_program_open(p, err);
    if (!iss) return STATUS_BAD_INPUT;
    const int status = with(context, iss, err);
    iss_program_close(p, iss);
    return status;
}

int iss_program_status(const struct iss_program *p, const struct iss *iss, struct error *err) {
    if (iss_refused(iss, iss_program_path(p), err)) return STATUS_BAD_INPUT;
    return iss_exited(iss, NULL) ? EXIT_SUCCESS : STATUS_OUT_OF_BUDGET;
}
