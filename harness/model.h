// A core model with a C interface: build/<config>/model.so, or model-fst.so, which writes waveforms: made from the
// RTL by Verilator and model_shim.cpp.
#ifndef TIPOFF_HARNESS_MODEL_H
#define TIPOFF_HARNESS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define MODEL_VERSION 9u

struct model; // the shim's

// NO, as it is made; CHECK: they are run, too, and the model fails where skipping them would have made a difference.
enum { MODEL_SKIP_NO, MODEL_SKIP_YES, MODEL_SKIP_CHECK };

// What model.so exports: one function `const struct model_api *tipoff_model(void)`.
// The DPI imports (trace/dpi.h) are resolved from the program that loads it: enter a model's own context before each
// call of a function that takes the model, and before create. One at a time in a thread; other models may run in
// others.
struct model_api {
    uint32_t version;            // MODEL_VERSION
    uint32_t lint_findings;      // that STRICT=0 let pass: then it is not for results
    const char *config, *digest; // of the gen/model_digest.h it was built with
    bool waveforms;              // it can write them
    // Out of reset, which takes a cycle more for each of tipoff_warm_lines. seed: for values that reset leaves open.
    struct model *(*create)(bool waveforms, uint64_t seed);
    void (*destroy)(struct model *);
    void (*set_hart_id)(struct model *, uint64_t id); // what mhartid reads, 0 until then; before the first cycle
    // Runs up to `cycles` cycles; leaves earlier after a cycle in which *stop became nonzero, or when the model failed
    // (an assertion; its message is on stdout). Returns the cycles run.
    uint64_t (*run)(struct model *, uint64_t cycles, const volatile int *stop);
    bool (*failed)(const struct model *);
    // CSRs of the harness's own profiling unit, by the addresses that software uses. 0, or -EINVAL for no such CSR.
    int (*csr_read)(struct model *, int addr, uint64_t *value);
    int (*csr_write)(struct model *, int addr, uint64_t value); // takes one cycle
    // Its registers in the window (Smcsrind): number 1 is sireg, 6 sireg6. Reading leaves siselect as it is and
    // takes no cycle; a write takes two, and siselect keeps `select`. 0, or -EINVAL where there is no window.
    int (*window_read)(struct model *, int select, int number, uint64_t *value);
    int (*window_write)(struct model *, int select, int number, uint64_t value);
    // That unit samples whenever the program's own sampling counter overflows, from now on.
    void (*follow_program)(struct model *);
    // Calls the client's dirty_line for each line that memory does not have yet. Between two cycles.
    void (*emit_dirty)(struct model *);
    // Committed stores that are not in the cache or their device yet, up to the youngest one to the 8-byte word at
    // `last`; 0: there is no such store. *head: where the oldest is, another place once it is done. Between two cycles.
    int (*stores_left)(struct model *, uint64_t last, int *head);
    uint64_t (*cycles)(struct model *);
    uint64_t (*instructions)(struct model *);
    // Cycles in which the core is idle are skipped from now on (MODEL_SKIP_*): all that is seen of the model is the
    // same. And how many were skipped, or checked, so far.
    void (*set_skip)(struct model *, int mode);
    uint64_t (*skipped)(const struct model *);
    // FST waveforms from now on; needs create(true, ...), and a model that can: else -ENOTSUP. 0, or a negative errno.
    // When they cannot be written any more, run leaves early and dump_fault reports it; dump_close, which reports it,
    // too, takes away what is left of them.
    int (*dump_open)(struct model *, const char *path);
    int (*dump_fault)(const struct model *); // 0, or a negative errno
    int (*dump_close)(struct model *);
};

// extern for the shim, which defines it.
#ifdef __cplusplus
__attribute__((visibility("default")))
#endif
const struct model_api *
tipoff_model(void);

#endif
