// The ISS: harts take turns, so that a test ends as under sequential consistency; where turns end is the program's
// skew, and each turn ends reservations.
#include "iss/iss.h"
#include "litmus/machine.h"

static bool run(const struct image *image, unsigned harts, uint64_t most, uint64_t address, void *memory, size_t bytes,
                struct error *err) {
    struct iss *iss = iss_create_harts(harts, err);
    if (!iss) return false;
    iss_set_quantum(iss, ISS_LEAST_QUANTUM);
    bool good = iss_load(iss, image, err) == 0;
    if (good) iss_run(iss, most);
    uint64_t code;
    if (good && !iss_exited(iss, &code)) {
        error_set(err, "the harts have not come to an end in %llu instructions: give fewer --iterations",
                  (unsigned long long)most);
        good = false;
    }
    good = good && iss_read(iss, address, memory, bytes);
    iss_destroy(iss);
    return good;
}

const struct litmus_machine litmus_machine_iss = {"iss", "the instruction-set simulator", run};
