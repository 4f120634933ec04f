// The model's interface (harness/model_shim.cpp) for a model with coverage: when a run ends, its counts go to the file that
// the environment variable TIPOFF_COVERAGE names. They begin after the reset: what it changes is no program's doing.
#define tipoff_model tipoff_model_without_coverage
#include "harness/model_shim.cpp"
#undef tipoff_model
#include "verilated_cov.h"
#include <cstdlib>

static void destroy_counted(model *m) {
    const char *path = getenv("TIPOFF_COVERAGE");
    if (path) m->context.coveragep()->write(path);
    destroy(m);
}

static model *create_counted(bool waveforms, uint64_t seed) {
    model *m = create(waveforms, seed);
    m->context.coveragep()->zero();
    return m;
}

extern "C" __attribute__((visibility("default"))) const struct model_api *tipoff_model(void) {
    static struct model_api api = *tipoff_model_without_coverage();
    api.create = create_counted;
    api.destroy = destroy_counted;
    return &api;
}
