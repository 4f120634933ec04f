// A program on the instruction-set simulator alone, for commands that watch what it executes: the options that say
// which machine it is, and the machine.
#ifndef TIPOFF_CLI_ISS_PROGRAM_H
#define TIPOFF_CLI_ISS_PROGRAM_H

#include "base/error.h"
#include "iss/checkpoint.h"
#include "iss/iss.h"
#include "machine/host_files.h"
#include <argp.h>

struct iss_program {
    const char *program, *input, *restore; // NULL: not given
    char *const *argv;                     // the program's
    struct host_roots file_roots;
    uint64_t max;             // instructions and traps
    uint64_t memory, quantum; // 0, as harts: not given
    unsigned harts;
    // What a command says, not its user.
    bool optional;                   // there need be neither program nor checkpoint
    bool ends;                       // the run does, also where the program does not
    bool ad_update;                  // as iss_set_ad_update
    unsigned hart_id;                // as iss_set_hart_id
    FILE *console, *second;          // where the UARTs print; NULL: nowhere
    const struct image *image;       // out, as long as the machine lives: of the program; NULL: not given
    struct checkpoint_origin origin; // of the machine, for a checkpoint of it
    struct image *loaded;            // for iss_program_close, as what follows
    FILE *opened;
};
// Of commands that cut it into slices.
#define REGIONS_INTERVAL 1000000 // instructions of a slice, if nobody says otherwise

// The defaults of all.
void iss_program_begin(struct iss_program *p);
// PROGRAM, --max-insns, --input, --file-root, --harts, --quantum, --memory, --restore: a child of a command's own,
// whose parser sets state->child_inputs. Their keys are ISS_PROGRAM_KEYS and more.
enum { ISS_PROGRAM_KEYS = 0x1000 };
extern const struct argp iss_program_argp;

// Calls `with` with the machine, loaded or restored. What it returns, or STATUS_BAD_INPUT with err: there is none.
typedef int iss_program_with(void *context, struct iss *iss, struct error *err);
int iss_program_run(struct iss_program *p, iss_program_with *with, void *context, struct error *err);
// Or the machine is the caller's, until it closes it; one at a time. NULL with err: there is none.
struct iss *iss_program_open(struct iss_program *p, struct error *err);
void iss_program_close(struct iss_program *p, struct iss *iss);
// The path of the program, as given or as the checkpoint has it.
const char *iss_program_path(const struct iss_program *p);
// After it ran, not stopped by a signal: EXIT_SUCCESS, STATUS_OUT_OF_BUDGET, or STATUS_BAD_INPUT with err: it asked for
// what is not served.
int iss_program_status(const struct iss_program *p, const struct iss *iss, struct error *err);

#endif
